#include "editor/document/framing.h"

#include "app/clip_bounds.h"
#include "editor/document/side_models.h"

#include <glm/geometric.hpp>

#include <algorithm>

namespace sinew {

vec3 jointCenter(const std::vector<std::uint32_t>& joints, const std::vector<mat4>& modelFromNode) {
  Bounds box;
  for (const std::uint32_t node : joints)
    box.include(vec3(modelFromNode[node][3]));
  return box.empty() ? vec3(0.0f) : box.center();
}

vec3 jointCenter(const Document& document) {
  return jointCenter(document.joints, document.workbench.modelFromNode);
}

vec3 carriedBy(const Document& document) {
  const vec3 moved = jointCenter(document) - document.framing.center;
  return followed(moved, document.orbit.framed.size());
}

vec3 carriedAway(const Document& document) {
  if (document.framing.ragdollAway) return *document.framing.ragdollAway;
  if (document.crowd || !hasModel(document) || drafting(document)) return vec3(0.0f);
  if (holdsPose(document))
    return document.framing.poseOffset; // the camera ignores a joint being rotated
  return carriedBy(document);
}

vec3 cameraAway(const Document& document) {
  const vec3 away = carriedAway(document);
  const std::optional<FollowedJoint>& joint = document.orbit.joint;
  if (!joint || document.framing.ragdollAway || document.crowd || holdsPose(document)) return away;
  return vec3(document.workbench.modelFromNode[joint->node][3]) - joint->from;
}

void leaveJoint(Document& document) {
  if (!document.orbit.joint) return;
  document.orbit.pan += cameraAway(document) - carriedAway(document);
  document.orbit.joint.reset();
}

void frameModel(Document& document) {
  if (!hasModel(document)) return;
  document.framing.center = jointCenter(document);
  if (document.crowd) return frame(document.settings, document.orbit, document.crowd->bounds);
  document.framing.bounds = outlineOverClip(document.workbench, getWrap(document.settings));
  frame(document.settings, document.orbit, document.framing.bounds);
  for (SideModel& sideModel : document.sideModels) {
    sideModel.bounds = outlineOverClip(sideModel.workbench, sideModel.wrap);
    sideModel.framedAt = jointCenter(sideModel.joints, sideModel.workbench.modelFromNode);
  }
  arrangeSideModels(document);
}

void frameJoint(Document& document) {
  if (!hasModel(document)) return;
  if (!document.selected || document.crowd) return frameModel(document);
  const auto& nodes = document.workbench.model.hierarchy.nodes;
  const std::vector<mat4>& at = document.workbench.modelFromNode;
  const std::uint32_t joint = *document.selected;
  const vec3 center(at[joint][3]);
  float longest = 0.0f;
  for (const std::uint32_t other : document.joints)
    if (nodes[joint].parent == other || nodes[other].parent == joint)
      longest = std::max(longest, glm::distance(center, vec3(at[other][3])));
  if (longest == 0.0f) longest = 0.2f * document.orbit.framed.size();
  const vec3 away = document.follow ? carriedAway(document) : vec3(0.0f);
  closeUp(document.settings, document.orbit, center - away,
          std::max(0.6f * longest, limbRadius(document.workbench, joint)));
}

} // namespace sinew
