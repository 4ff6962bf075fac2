#include "picture/choose_skin_on.h"

#include "app/settings_view.h"
#include "core/stopwatch.h"
#include "gl/context.h"
#include "gl/framebuffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace sinew {
namespace {

constexpr int kMeasuredFrames = 4; // the first does not count
constexpr int kTargetSize = 64;    // pixels; nothing is rasterised

View measuringView(const Workbench& bench, const Settings& settings) {
  const Viewport viewport{0, 0, kTargetSize, kTargetSize};
  const Bounds bounds = posedOutline(bench);
  View view = viewOf(settings, cameraOf(settings, bounds, 1.0f), bounds, viewport);
  makePlain(view);
  view.show.grid = false;
  view.show.vertexOnly = true;
  return view;
}

} // namespace

SkinChoice chooseSkinOn(Renderer& renderer, const std::shared_ptr<const GpuMaterials>& materials,
                        PosingTools& tools, const Workbench& bench, const BoundMethod& bound,
                        const Settings& settings) {
  GpuMeshOptions options;
  options.storage = settings.palette;
  std::vector<PosedMesh> meshes;
  SkinChoice choice{bound.method};
  for (const SkinOn skinOn : availableSkinOn()) {
    meshes.push_back(makePosedMesh(materials, bench.rig, bound, options, skinOn));
    choice.frames.emplace_back(skinOn, std::numeric_limits<double>::max());
  }
  GLint shown = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &shown);
  {
    const Framebuffer target(kTargetSize, kTargetSize);
    target.bind();
    const View view = measuringView(bench, settings);
    for (int frame = 0; frame < kMeasuredFrames; ++frame)
      for (std::size_t i = 0; i < meshes.size(); ++i) {
        const auto start = Clock::now();
        poseMesh(meshes[i].mesh, meshes[i].posing.get(), tools, bench, bound, bound.palette);
        renderer.begin(view);
        renderer.draw(meshes[i].mesh);
        finishGl();
        double& fastest = choice.frames[i].second;
        if (frame > 0) fastest = std::min(fastest, millisecondsSince(start));
      }
  }
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(shown));
  std::ranges::stable_sort(choice.frames, {}, &std::pair<SkinOn, double>::second);
  return choice;
}

std::string textOf(const SkinChoice& choice) {
  std::string slower;
  for (const auto& [skinOn, ms] : std::span(choice.frames).subspan(1))
    slower += fmt::format("{} {} {:.2f}", slower.empty() ? ";" : ",", nameOf(skinOn), ms);
  const auto& [skinOn, ms] = choice.frames.front();
  return fmt::format("{}: {} ({:.2f} ms{})", choice.method->name, nameOf(skinOn), ms, slower);
}

} // namespace sinew
