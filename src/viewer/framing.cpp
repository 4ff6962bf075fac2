// Where the camera stands to the model: a part of session.h.

#include "viewer/bind.h"
#include "viewer/session.h"

#include <glm/common.hpp>

namespace sinew {

vec3 jointCenter(const Viewer& viewer) {
  Bounds joints;
  for (const std::uint32_t node : viewer.joints)
    joints.include(vec3(viewer.bench.modelFromNode[node][3]));
  return joints.empty() ? vec3(0.0f) : joints.center();
}

vec3 carriedBy(const Viewer& viewer) {
  const vec3 moved = jointCenter(viewer) - viewer.framedAt;
  const vec3 slack(0.08f * viewer.orbit.framed.size());
  return moved - glm::clamp(moved, -slack, slack);
}

vec3 carriedAway(const Viewer& viewer) {
  if (ragdollActive(viewer)) return viewer.ragdoll.away;
  if (viewer.crowd || !hasModel(viewer) || drafting(viewer)) return vec3(0.0f);
  if (posing(viewer)) return viewer.edit.away; // it does not answer to a joint being turned
  return carriedBy(viewer);
}

void frameModel(Viewer& viewer) {
  if (!hasModel(viewer)) return;
  viewer.framedAt = jointCenter(viewer);
  frame(viewer.settings, viewer.orbit,
        viewer.crowd ? viewer.crowd->bounds : posedBounds(viewer.bench));
}

} // namespace sinew
