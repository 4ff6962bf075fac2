#include "animation/pose_edit.h"

#include "core/polar.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Of the space the node's transform is told in. A parent that mirrors turns the sense of a rotation
// as well as its axis: polar() leaves the mirroring to the stretch, and both cancel.
quat parentRotation(const Hierarchy& hierarchy, std::span<const mat4> modelFromNode,
                    std::uint32_t node) {
  const std::uint32_t parent = hierarchy.nodes[node].parent;
  if (parent == kNoNode) return {1.0f, 0.0f, 0.0f, 0.0f};
  return polar(mat3(modelFromNode[parent])).rotation;
}

} // namespace

mat3 turnAxes(const Hierarchy& hierarchy, const Pose& pose, std::span<const mat4> modelFromNode,
              std::uint32_t node, TurnAxes axes) {
  if (axes == TurnAxes::model) return mat3(1.0f);
  return glm::mat3_cast(parentRotation(hierarchy, modelFromNode, node) *
                        pose.parentFromNode[node].rotation);
}

quat turnedRotation(const Hierarchy& hierarchy, const Pose& pose,
                    std::span<const mat4> modelFromNode, std::uint32_t node, const vec3& axis,
                    float angle) {
  const quat parent = parentRotation(hierarchy, modelFromNode, node);
  const vec3 inParent = glm::normalize(glm::conjugate(parent) * axis);
  return glm::normalize(glm::angleAxis(angle, inParent) * pose.parentFromNode[node].rotation);
}

quat turnFromRest(const Hierarchy& hierarchy, const Pose& pose, std::uint32_t node) {
  const quat turn = glm::normalize(glm::conjugate(hierarchy.nodes[node].rest.rotation) *
                                   pose.parentFromNode[node].rotation);
  return turn.w < 0.0f ? -turn : turn; // the shorter way round
}

void setTurnFromRest(const Hierarchy& hierarchy, Pose& pose, std::uint32_t node, const quat& turn) {
  pose.parentFromNode[node].rotation = glm::normalize(hierarchy.nodes[node].rest.rotation * turn);
}

vec3 eulerOf(const quat& turn) {
  const glm::dmat3 m = glm::mat3_cast(glm::dquat(glm::normalize(turn)));
  // m = Rz Ry Rx
  const double y = std::atan2(-m[0][2], std::hypot(m[0][0], m[0][1]));
  if (std::hypot(m[0][0], m[0][1]) < 1e-6) // x and z turn about the same axis: all of it is x
    return {static_cast<float>(std::atan2(-m[2][1], m[1][1])), static_cast<float>(y), 0.0f};
  return {static_cast<float>(std::atan2(m[1][2], m[2][2])), static_cast<float>(y),
          static_cast<float>(std::atan2(m[0][1], m[0][0]))};
}

quat turnOfEuler(const vec3& angles) {
  return glm::normalize(glm::angleAxis(angles.z, vec3(0, 0, 1)) *
                        glm::angleAxis(angles.y, vec3(0, 1, 0)) *
                        glm::angleAxis(angles.x, vec3(1, 0, 0)));
}

AxisTurn axisTurnOf(const quat& turn, const vec3& usual) {
  const quat q = turn.w < 0.0f ? -turn : turn;
  const vec3 v(q.x, q.y, q.z);
  const float sine = glm::length(v);
  if (sine < 1e-6f) return {usual, 0.0f};
  return {v / sine, 2.0f * std::atan2(sine, q.w)};
}

quat turnOf(const AxisTurn& turn) {
  const float length = glm::length(turn.axis);
  if (!(length > 0.0f)) return {1.0f, 0.0f, 0.0f, 0.0f};
  return glm::angleAxis(turn.angle, turn.axis / length);
}

} // namespace sinew
