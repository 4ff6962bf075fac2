#include "picture/ghosts.h"

#include "core/error.h"
#include "picture/scene_renderer.h"
#include "skinning/modified.h"

#include <cmath>

namespace sinew {
namespace {

// The clip that the settings name, also while an edited pose is shown in its place.
std::optional<std::uint32_t> chosenClip(const Workbench& workbench, const Settings& settings) {
  if (workbench.clip) return workbench.clip;
  if (!workbench.posed || workbench.model.clips.empty()) return std::nullopt;
  if (settings.clip.empty()) return 0;
  if (settings.clip == "none" || settings.clip == "bind") return std::nullopt;
  try {
    return findClip(workbench.model, settings.clip);
  } catch (const Error&) {
    return std::nullopt;
  }
}

} // namespace

std::vector<Ghost> makeGhosts(const Workbench& workbench, const Settings& settings) {
  std::vector<Ghost> out;
  const auto clip = chosenClip(workbench, settings);
  if (settings.ghosts == 0 || (!clip && workbench.layerStack.layers.empty())) return out;
  const Wrap wrap = getWrap(settings);
  const TimeMap range = playedRange(workbench, wrap);
  const double step = static_cast<double>(settings.ghostStep);
  for (int i = settings.ghosts; i > 0; --i)
    for (const int each : {-i, i}) {
      const double seconds = workbench.seconds + each * step;
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

GhostPose::GhostPose(const Workbench& workbench, const Settings& settings)
    : workbench_(workbench), clip_(chosenClip(workbench, settings)), wrap_(getWrap(settings)) {}

const Palette& GhostPose::pack(const Ghost& ghost, std::size_t bound) {
  const BoundMethod& method = workbench_.bound[bound];
  PoseMemory memory;
  memory.preRoll = 0.0;
  poseAt(workbench_, clip_, ghost.seconds, wrap_, memory, pose_);
  replaceNonFinite(workbench_.model.hierarchy, pose_);
  modelFromNodes(workbench_.model.hierarchy, pose_, modelFromNode_);
  packPalette(*method.method, workbench_.rig, shownBinding(method), modelFromNode_, palette_,
              pose_.twists);
  if (isModified(method.binding, velocityModifier())) {
    moveSkin(workbench_, {clip_, ghost.seconds, wrap_, memory, pose_, modelFromNode_}, moment_);
    putModifierRows(method.binding, moment_.joints, palette_.rows);
  }
  return palette_;
}

void drawGhosts(SceneRenderer& scene, const Workbench& workbench, const Settings& settings,
                std::size_t bound) {
  const std::vector<Ghost> ghosts = makeGhosts(workbench, settings);
  if (ghosts.empty() || scene.meshes.empty()) return;
  GpuMesh& mesh = scene.meshes[bound];
  GhostPose posed(workbench, settings);
  for (const Ghost& ghost : ghosts) {
    poseMesh(scene, bound, workbench, posed.pack(ghost, bound));
    scene.renderer.drawSilhouette(mesh, ghostColor(ghost, settings.ghosts));
  }
  poseMesh(scene, bound, workbench, workbench.bound[bound].palette);
}

} // namespace sinew
