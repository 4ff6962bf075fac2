#include "picture/choose_skin_on.h"

#include "app/settings_view.h"
#include "core/stopwatch.h"
#include "gl/context.h"
#include "gl/framebuffer.h"
#include "gl/load.h"
#include "picture/fastest_way.h"
#include "picture/skin_on_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace sinew {
namespace {

constexpr int kTargetSize = 64; // pixels; nothing is rasterised

View measuringView(const Workbench& workbench, const Settings& settings) {
  const Viewport viewport{0, 0, kTargetSize, kTargetSize};
  const Bounds bounds = posedOutline(workbench);
  View view = makeView(settings, makeCamera(settings, bounds, 1.0f), bounds, viewport);
  makePlain(view);
  view.show.grid = false;
  view.show.vertexOnly = true;
  return view;
}

double processorMilliseconds() {
  return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

} // namespace

SkinChoice chooseSkinOn(Renderer& renderer, const std::shared_ptr<const GpuMaterials>& materials,
                        PosingTools& tools, const Workbench& workbench, const BoundMethod& bound,
                        const Settings& settings) {
  const std::string key = skinOnKey(glInfo(), workbench, bound, settings.palette);
  if (const auto known = rememberedSkinOn(skinOnFile(), key);
      known && std::ranges::find(availableSkinOn(), *known) != availableSkinOn().end())
    return {bound.method, {{*known, 0.0}}};
  GpuMeshOptions options;
  options.storage = settings.palette;
  std::vector<PosedMesh> meshes;
  for (const SkinOn skinOn : availableSkinOn())
    meshes.push_back(makePosedMesh(materials, workbench.rig, bound, options, skinOn));
  FastestWay found;
  GLint shown = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &shown);
  {
    const Framebuffer target(kTargetSize, kTargetSize);
    target.bind();
    const View view = measuringView(workbench, settings);
    found = fastestWay(meshes.size(), [&](std::size_t i) {
      const auto start = Clock::now();
      const double processor = processorMilliseconds();
      poseMesh(meshes[i].mesh, meshes[i].posing.get(), tools, workbench, bound, bound.palette);
      renderer.begin(view);
      renderer.draw(meshes[i].mesh);
      finishGl();
      return glInfo().software ? processorMilliseconds() - processor : millisecondsSince(start);
    });
  }
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(shown));
  SkinChoice choice{bound.method};
  for (std::size_t i = 0; i < meshes.size(); ++i)
    choice.frames.emplace_back(availableSkinOn()[i], found.least[i]);
  const auto chosen = choice.frames.begin() + static_cast<std::ptrdiff_t>(found.way);
  std::rotate(choice.frames.begin(), chosen, chosen + 1);
  std::stable_sort(choice.frames.begin() + 1, choice.frames.end(),
                   [](const auto& a, const auto& b) { return a.second < b.second; });
  rememberSkinOn(skinOnFile(), key, choice.frames.front().first);
  return choice;
}

std::string toString(const SkinChoice& choice) {
  std::string slower;
  for (const auto& [skinOn, ms] : std::span(choice.frames).subspan(1))
    slower += fmt::format("{} {} {:.2f}", slower.empty() ? ";" : ",", toString(skinOn), ms);
  const auto& [skinOn, ms] = choice.frames.front();
  if (choice.frames.size() == 1)
    return fmt::format("{}: {} (measured before)", choice.method->name, toString(skinOn));
  return fmt::format("{}: {} ({:.2f} ms{})", choice.method->name, toString(skinOn), ms, slower);
}

} // namespace sinew
