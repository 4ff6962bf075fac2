#include "rig/spline_controls.h"

#include "animation/pose_edit.h"

#include <glm/geometric.hpp>

#include <cmath>

namespace sinew {
namespace {

constexpr float kTurn = 6.28318530718f;

// A joint alone carries the splines of vertices that follow none.
bool isRigid(const RigSpline& spline) {
  return spline.joints[0] == spline.joints[1] && spline.joints[1] == spline.joints[2];
}

// How the node at an end turns about the spline.
struct End {
  std::uint32_t node = 0;
  vec3 axis{0.0f, 1.0f, 0.0f}; // the spline's direction there, in the node's own axes at rest
};

End endOf(const Rig& rig, const RigSpline& spline, bool start) {
  const RigJoint& joint = rig.joints[spline.joints[start ? 0 : 2]];
  vec3 along = start ? spline.points[1] - spline.points[0] : spline.points[2] - spline.points[1];
  if (!(glm::length(along) > 0.0f)) along = spline.points[2] - spline.points[0];
  const vec3 axis = mat3(joint.jointFromBind) * along;
  const float length = glm::length(axis);
  return {joint.node, length > 0.0f ? axis / length : vec3(0, 1, 0)};
}

// The part of a rotation that turns about an axis.
float angleAbout(const quat& turn, const vec3& axis) {
  const float sine = glm::dot(vec3(turn.x, turn.y, turn.z), axis);
  return std::remainder(2.0f * std::atan2(sine, turn.w), kTurn);
}

bool isBelow(const Hierarchy& hierarchy, std::uint32_t node, std::uint32_t ancestor) {
  while (node != kNoNode && node != ancestor)
    node = hierarchy.nodes[node].parent;
  return node == ancestor;
}

void turnBy(const Hierarchy& hierarchy, Pose& pose, const End& end, float angle) {
  setTurnFromRest(hierarchy, pose, end.node,
                  turnFromRest(hierarchy, pose, end.node) * glm::angleAxis(angle, end.axis));
}

} // namespace

std::optional<ControlPoint> controlPointAt(const Rig& rig, std::uint32_t node) {
  for (std::uint32_t s = 0; s < rig.splines.size(); ++s) {
    if (isRigid(rig.splines[s])) continue;
    for (std::uint32_t i = 0; i < 3; ++i)
      if (rig.joints[rig.splines[s].joints[i]].node == node) return ControlPoint{s, i};
  }
  return std::nullopt;
}

std::array<vec3, 3> posedControlPoints(const Rig& rig, std::uint32_t spline,
                                       std::span<const mat4> modelFromNode) {
  std::array<vec3, 3> points = rig.splines[spline].points;
  for (std::size_t i = 0; i < 3; ++i) {
    const RigJoint& joint = rig.joints[rig.splines[spline].joints[i]];
    points[i] = transformPoint(modelFromNode[joint.node] * joint.jointFromBind, points[i]);
  }
  return points;
}

SplineTurn splineTurn(const Hierarchy& hierarchy, const Rig& rig, std::uint32_t spline,
                      const Pose& pose) {
  const End start = endOf(rig, rig.splines[spline], true);
  const End end = endOf(rig, rig.splines[spline], false);
  SplineTurn turn;
  turn.roll = angleAbout(turnFromRest(hierarchy, pose, start.node), start.axis);
  turn.twist = angleAbout(turnFromRest(hierarchy, pose, end.node), end.axis);
  if (!isBelow(hierarchy, end.node, start.node))
    turn.twist = std::remainder(turn.twist - turn.roll, kTurn);
  return turn;
}

void setSplineTurn(const Hierarchy& hierarchy, const Rig& rig, std::uint32_t spline, Pose& pose,
                   const SplineTurn& turn) {
  const End start = endOf(rig, rig.splines[spline], true);
  const End end = endOf(rig, rig.splines[spline], false);
  turnBy(hierarchy, pose, start, turn.roll - splineTurn(hierarchy, rig, spline, pose).roll);
  turnBy(hierarchy, pose, end, turn.twist - splineTurn(hierarchy, rig, spline, pose).twist);
}

} // namespace sinew
