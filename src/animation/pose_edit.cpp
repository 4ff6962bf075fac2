#include "animation/pose_edit.h"

#include "core/polar.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Orientation of the space the node's transform is relative to. A mirroring parent reverses both
// the sense of a rotation and its axis: polar() leaves the reflection to the stretch, and both
// cancel.
quat parentRotation(const Hierarchy& hierarchy, std::span<const mat4> modelFromNode,
                    std::uint32_t node) {
  const std::uint32_t parent = hierarchy.nodes[node].parent;
  if (parent == kNoNode) return {1.0f, 0.0f, 0.0f, 0.0f};
  return polar(mat3(modelFromNode[parent])).rotation;
}

} // namespace

mat3 rotationAxes(const Hierarchy& hierarchy, const Pose& pose, std::span<const mat4> modelFromNode,
                  std::uint32_t node, RotationAxes axes) {
  if (axes == RotationAxes::model) return mat3(1.0f);
  return glm::mat3_cast(parentRotation(hierarchy, modelFromNode, node) *
                        pose.parentFromNode[node].rotation);
}

quat rotatedAbout(const Hierarchy& hierarchy, const Pose& pose, std::span<const mat4> modelFromNode,
                  std::uint32_t node, const vec3& axis, float angle) {
  const quat parent = parentRotation(hierarchy, modelFromNode, node);
  const vec3 inParent = glm::normalize(glm::conjugate(parent) * axis);
  return glm::normalize(glm::angleAxis(angle, inParent) * pose.parentFromNode[node].rotation);
}

quat rotationFromRest(const Hierarchy& hierarchy, const Pose& pose, std::uint32_t node) {
  const quat fromRest = glm::normalize(glm::conjugate(hierarchy.nodes[node].rest.rotation) *
                                       pose.parentFromNode[node].rotation);
  return fromRest.w < 0.0f ? -fromRest : fromRest;
}

void setRotationFromRest(const Hierarchy& hierarchy, Pose& pose, std::uint32_t node,
                         const quat& fromRest) {
  pose.parentFromNode[node].rotation =
      glm::normalize(hierarchy.nodes[node].rest.rotation * fromRest);
}

vec3 toEuler(const quat& rotation) {
  const glm::dmat3 m = glm::mat3_cast(glm::dquat(glm::normalize(rotation)));
  // m = Rz Ry Rx
  const double y = std::atan2(-m[0][2], std::hypot(m[0][0], m[0][1]));
  if (std::hypot(m[0][0], m[0][1]) < 1e-6) // gimbal lock: all of it is x
    return {static_cast<float>(std::atan2(-m[2][1], m[1][1])), static_cast<float>(y), 0.0f};
  return {static_cast<float>(std::atan2(m[1][2], m[2][2])), static_cast<float>(y),
          static_cast<float>(std::atan2(m[0][1], m[0][0]))};
}

quat rotationOfEuler(const vec3& angles) {
  return glm::normalize(glm::angleAxis(angles.z, vec3(0, 0, 1)) *
                        glm::angleAxis(angles.y, vec3(0, 1, 0)) *
                        glm::angleAxis(angles.x, vec3(1, 0, 0)));
}

AxisAngle toAxisAngle(const quat& rotation, const vec3& fallback) {
  const quat q = rotation.w < 0.0f ? -rotation : rotation;
  const vec3 v(q.x, q.y, q.z);
  const float sine = glm::length(v);
  if (sine < 1e-6f) return {fallback, 0.0f};
  return {v / sine, 2.0f * std::atan2(sine, q.w)};
}

quat toRotation(const AxisAngle& rotation) {
  const float length = glm::length(rotation.axis);
  if (!(length > 0.0f)) return {1.0f, 0.0f, 0.0f, 0.0f};
  return glm::angleAxis(rotation.angle, rotation.axis / length);
}

} // namespace sinew
