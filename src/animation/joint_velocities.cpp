#include "animation/joint_velocities.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Axis times angle of the shorter rotation from one to the other, in their parent's frame. Where
// nothing rotates it is exactly zero.
vec3 rotationBetween(const quat& before, const quat& after) {
  if (before == after) return vec3(0.0f);
  quat q = after * glm::conjugate(before);
  if (q.w < 0.0f) q = -q;
  const vec3 along(q.x, q.y, q.z);
  const float sine = glm::length(along);
  if (!(sine > 1e-9f)) return vec3(0.0f);
  return 2.0f * std::atan2(sine, q.w) / sine * along;
}

// An angular velocity under a linear map: its direction as that of an area, for it is the axis of
// one, and its length unchanged.
vec3 mappedAxis(const mat3& map, const vec3& axis) {
  const float length = glm::length(axis);
  if (!(length > 0.0f)) return vec3(0.0f);
  const vec3 moved = glm::cross(map[1], map[2]) * axis.x + glm::cross(map[2], map[0]) * axis.y +
                     glm::cross(map[0], map[1]) * axis.z;
  const float mapped = glm::length(moved);
  return mapped > 0.0f ? length / mapped * moved : vec3(0.0f);
}

} // namespace

void jointVelocities(const Hierarchy& hierarchy, const Pose& before, const Pose& after,
                     double seconds, std::span<const mat4> modelFromNode,
                     std::vector<JointVelocity>& out) {
  out.assign(hierarchy.nodes.size(), {});
  if (!(seconds > 0.0)) return;
  const auto perSecond = static_cast<float>(1.0 / seconds);
  for (std::size_t n = 0; n < hierarchy.nodes.size(); ++n) {
    const Transform& from = before.parentFromNode[n];
    const Transform& to = after.parentFromNode[n];
    const std::uint32_t parent = hierarchy.nodes[n].parent;
    const mat3 map = parent == kNoNode ? mat3(1.0f) : mat3(modelFromNode[parent]);
    out[n].linear = map * (to.translation - from.translation) * perSecond;
    out[n].angular = mappedAxis(map, rotationBetween(from.rotation, to.rotation)) * perSecond;
  }
}

} // namespace sinew
