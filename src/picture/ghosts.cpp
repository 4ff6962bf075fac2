#include "picture/ghosts.h"

#include "core/error.h"
#include "picture/picture.h"

#include <cmath>

namespace sinew {
namespace {

// The clip that the settings name, also while an edited pose is shown in its place.
std::optional<std::uint32_t> chosenClip(const Workbench& bench, const Settings& settings) {
  if (bench.clip) return bench.clip;
  if (!bench.posed || bench.model.clips.empty()) return std::nullopt;
  if (settings.clip.empty()) return 0;
  if (settings.clip == "none" || settings.clip == "bind") return std::nullopt;
  try {
    return findClip(bench.model, settings.clip);
  } catch (const Error&) {
    return std::nullopt;
  }
}

} // namespace

std::vector<Ghost> ghostsOf(const Workbench& bench, const Settings& settings) {
  std::vector<Ghost> out;
  const auto clip = chosenClip(bench, settings);
  if (settings.ghosts == 0 || (!clip && bench.layerStack.layers.empty())) return out;
  const Wrap wrap = wrapOf(settings);
  const TimeMap range = playedRange(bench, wrap);
  const double step = static_cast<double>(settings.ghostStep);
  for (int i = settings.ghosts; i > 0; --i)
    for (const int each : {-i, i}) {
      const double seconds = bench.seconds + each * step;
      const bool outside = seconds < static_cast<double>(range.begin) ||
                           (range.end > range.begin && seconds > static_cast<double>(range.end));
      if (range.wrap == Wrap::clamp && outside) continue;
      out.push_back({seconds, each});
    }
  return out;
}

vec4 ghostColor(const Ghost& ghost, int count) {
  const float far = static_cast<float>(std::abs(ghost.step) - 1) / static_cast<float>(count);
  const vec3 color = ghost.step < 0 ? vec3(0.95f, 0.45f, 0.25f) : vec3(0.25f, 0.65f, 0.95f);
  return {color, 0.34f * (1.0f - far)};
}

void drawGhosts(Picture& picture, const Workbench& bench, const Settings& settings,
                std::size_t bound) {
  const std::vector<Ghost> ghosts = ghostsOf(bench, settings);
  if (ghosts.empty() || picture.meshes.empty()) return;
  GpuMesh& mesh = picture.meshes[bound];
  const BoundMethod& method = bench.bound[bound];
  const auto clip = chosenClip(bench, settings);
  Pose pose;
  Palette palette;
  std::vector<mat4> modelFromNode;
  for (const Ghost& ghost : ghosts) {
    PoseMemory memory;
    memory.preRoll = 0.0;
    poseAt(bench, clip, ghost.seconds, wrapOf(settings), memory, pose);
    replaceNonFinite(bench.model.hierarchy, pose);
    modelFromNodes(bench.model.hierarchy, pose, modelFromNode);
    packPalette(*method.method, bench.rig, shownBinding(method), modelFromNode, palette,
                pose.twists);
    poseMesh(picture, bound, bench, palette);
    picture.renderer.drawSilhouette(mesh, ghostColor(ghost, settings.ghosts));
  }
  poseMesh(picture, bound, bench, method.palette);
}

} // namespace sinew
