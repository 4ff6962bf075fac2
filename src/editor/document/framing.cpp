#include "editor/document/framing.h"

#include "app/clip_bounds.h"

#include <glm/geometric.hpp>

#include <algorithm>

namespace sinew {

vec3 jointCenter(const Document& document) {
  Bounds joints;
  for (const std::uint32_t node : document.joints)
    joints.include(vec3(document.bench.modelFromNode[node][3]));
  return joints.empty() ? vec3(0.0f) : joints.center();
}

vec3 carriedBy(const Document& document) {
  const vec3 moved = jointCenter(document) - document.framedAt;
  return followed(moved, document.orbit.framed.size());
}

vec3 carriedAway(const Document& document) {
  if (document.ragdollAway) return *document.ragdollAway;
  if (document.crowd || !hasModel(document) || drafting(document)) return vec3(0.0f);
  if (holdsPose(document)) return document.poseAway; // the camera ignores a joint being rotated
  return carriedBy(document);
}

void frameModel(Document& document) {
  if (!hasModel(document)) return;
  document.framedAt = jointCenter(document);
  frame(document.settings, document.orbit,
        document.crowd ? document.crowd->bounds
                       : boundsOverClip(document.bench, wrapOf(document.settings)));
}

void frameJoint(Document& document) {
  if (!hasModel(document)) return;
  if (!document.selected || document.crowd) return frameModel(document);
  const auto& nodes = document.bench.model.hierarchy.nodes;
  const std::vector<mat4>& at = document.bench.modelFromNode;
  const std::uint32_t joint = *document.selected;
  const vec3 center(at[joint][3]);
  float longest = 0.0f;
  for (const std::uint32_t other : document.joints)
    if (nodes[joint].parent == other || nodes[other].parent == joint)
      longest = std::max(longest, glm::distance(center, vec3(at[other][3])));
  if (longest == 0.0f) longest = 0.2f * document.orbit.framed.size();
  const vec3 away = document.follow ? carriedAway(document) : vec3(0.0f);
  closeUp(document.settings, document.orbit, center - away, 0.6f * longest);
}

} // namespace sinew
