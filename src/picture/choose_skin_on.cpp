#include "picture/choose_skin_on.h"

#include "app/settings_view.h"
#include "core/stopwatch.h"
#include "gl/context.h"
#include "gl/framebuffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace sinew {
namespace {

constexpr int kMeasuredFrames = 4; // the first does not count
constexpr int kTargetSize = 64;    // pixels; nothing is rasterised

View measuringView(const Workbench& bench, const Settings& settings) {
  const Viewport viewport{0, 0, kTargetSize, kTargetSize};
  const Bounds bounds = posedBounds(bench);
  View view = viewOf(settings, cameraOf(settings, bounds, 1.0f), bounds, viewport);
  view.show.grid = false;
  view.show.vertexOnly = true;
  return view;
}

} // namespace

SkinChoice chooseSkinOn(Renderer& renderer, const std::shared_ptr<const GpuMaterials>& materials,
                        std::unique_ptr<Workers>& workers, const Workbench& bench,
                        const BoundMethod& bound, const Settings& settings) {
  GpuMeshOptions options;
  options.storage = settings.palette;
  std::array meshes{makePosedMesh(materials, bench.rig, bound, options, SkinOn::vertexShader),
                    makePosedMesh(materials, bench.rig, bound, options, SkinOn::cpu)};
  std::array best{std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
  GLint shown = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &shown);
  {
    const Framebuffer target(kTargetSize, kTargetSize);
    target.bind();
    const View view = measuringView(bench, settings);
    for (int frame = 0; frame < kMeasuredFrames; ++frame)
      for (std::size_t i = 0; i < meshes.size(); ++i) {
        const auto start = Clock::now();
        poseMesh(meshes[i].mesh, meshes[i].posing.get(), workers, bench, bound, bound.palette);
        renderer.begin(view);
        renderer.draw(meshes[i].mesh);
        finishGl();
        if (frame > 0) best[i] = std::min(best[i], millisecondsSince(start));
      }
  }
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(shown));
  return {bound.method, best[1] < best[0] ? SkinOn::cpu : SkinOn::vertexShader, best[0], best[1]};
}

std::string textOf(const SkinChoice& choice) {
  const bool cpu = choice.skinOn == SkinOn::cpu;
  return fmt::format("{}: {} ({:.2f} ms; {} {:.2f})", choice.method->name, nameOf(choice.skinOn),
                     cpu ? choice.cpuMs : choice.shaderMs,
                     nameOf(cpu ? SkinOn::vertexShader : SkinOn::cpu),
                     cpu ? choice.shaderMs : choice.cpuMs);
}

} // namespace sinew
