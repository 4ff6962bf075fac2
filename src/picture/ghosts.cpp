#include "picture/ghosts.h"

#include "core/error.h"
#include "picture/picture.h"
#include "skinning/modified.h"
#include "skinning/velocity.h"

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

std::vector<Ghost> makeGhosts(const Workbench& bench, const Settings& settings) {
  std::vector<Ghost> out;
  const auto clip = chosenClip(bench, settings);
  if (settings.ghosts == 0 || (!clip && bench.layerStack.layers.empty())) return out;
  const Wrap wrap = getWrap(settings);
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

GhostPose::GhostPose(const Workbench& bench, const Settings& settings)
    : bench_(bench), clip_(chosenClip(bench, settings)), wrap_(getWrap(settings)) {}

const Palette& GhostPose::pack(const Ghost& ghost, std::size_t bound) {
  const BoundMethod& method = bench_.bound[bound];
  PoseMemory memory;
  memory.preRoll = 0.0;
  poseAt(bench_, clip_, ghost.seconds, wrap_, memory, pose_);
  replaceNonFinite(bench_.model.hierarchy, pose_);
  modelFromNodes(bench_.model.hierarchy, pose_, modelFromNode_);
  packPalette(*method.method, bench_.rig, shownBinding(method), modelFromNode_, palette_,
              pose_.twists);
  if (isModified(method.binding, velocityModifier())) {
    moveSkin(bench_, {clip_, ghost.seconds, wrap_, memory, pose_, modelFromNode_}, moment_);
    putModifierRows(method.binding, moment_.joints, palette_.rows);
  }
  return palette_;
}

void drawGhosts(Picture& picture, const Workbench& bench, const Settings& settings,
                std::size_t bound) {
  const std::vector<Ghost> ghosts = makeGhosts(bench, settings);
  if (ghosts.empty() || picture.meshes.empty()) return;
  GpuMesh& mesh = picture.meshes[bound];
  GhostPose posed(bench, settings);
  for (const Ghost& ghost : ghosts) {
    poseMesh(picture, bound, bench, posed.pack(ghost, bound));
    picture.renderer.drawSilhouette(mesh, ghostColor(ghost, settings.ghosts));
  }
  poseMesh(picture, bound, bench, bench.bound[bound].palette);
}

} // namespace sinew
