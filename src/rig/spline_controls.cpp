#include "rig/spline_controls.h"

#include "animation/pose_edit.h"

#include <glm/geometric.hpp>

#include <cmath>

namespace sinew {
namespace {

constexpr float kFullCircle = 6.28318530718f;

// The node at an end, and the axis of its rotation about the spline.
struct End {
  std::uint32_t node = 0;
  vec3 axis{0.0f, 1.0f, 0.0f}; // the spline's direction there, in the node's own axes at rest
};

End makeEnd(const Rig& rig, const RigSpline& spline, bool start) {
  const RigJoint& joint = rig.joints[spline.joints[start ? 0 : 2]];
  vec3 along = start ? spline.points[1] - spline.points[0] : spline.points[2] - spline.points[1];
  if (!(glm::length(along) > 0.0f)) along = spline.points[2] - spline.points[0];
  const vec3 axis = mat3(joint.jointFromBind) * along;
  const float length = glm::length(axis);
  return {joint.node, length > 0.0f ? axis / length : vec3(0, 1, 0)};
}

// The twist of a rotation about an axis.
float angleAbout(const quat& rotation, const vec3& axis) {
  const float sine = glm::dot(vec3(rotation.x, rotation.y, rotation.z), axis);
  return std::remainder(2.0f * std::atan2(sine, rotation.w), kFullCircle);
}

bool isBelow(const Hierarchy& hierarchy, std::uint32_t node, std::uint32_t ancestor) {
  while (node != kNoNode && node != ancestor)
    node = hierarchy.nodes[node].parent;
  return node == ancestor;
}

void rotateBy(const Hierarchy& hierarchy, Pose& pose, const End& end, float angle) {
  setRotationFromRest(hierarchy, pose, end.node,
                      rotationFromRest(hierarchy, pose, end.node) *
                          glm::angleAxis(angle, end.axis));
}

} // namespace

std::optional<ControlPoint> controlPointAt(const Rig& rig, std::uint32_t node) {
  for (std::uint32_t s = 0; s < rig.splines.size(); ++s) {
    if (rig.splines[s].source == kNoNode) continue;
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

SplineRotation splineRotation(const Hierarchy& hierarchy, const Rig& rig, std::uint32_t spline,
                              const Pose& pose) {
  const End start = makeEnd(rig, rig.splines[spline], true);
  const End end = makeEnd(rig, rig.splines[spline], false);
  SplineRotation rotation;
  rotation.roll = angleAbout(rotationFromRest(hierarchy, pose, start.node), start.axis);
  rotation.twist = angleAbout(rotationFromRest(hierarchy, pose, end.node), end.axis);
  if (!isBelow(hierarchy, end.node, start.node))
    rotation.twist = std::remainder(rotation.twist - rotation.roll, kFullCircle);
  rotation.twist = static_cast<float>(nearestAngle(static_cast<double>(rotation.twist),
                                                   static_cast<double>(twistAt(pose, end.node))));
  return rotation;
}

void setSplineRotation(const Hierarchy& hierarchy, const Rig& rig, std::uint32_t spline, Pose& pose,
                       const SplineRotation& rotation) {
  const End start = makeEnd(rig, rig.splines[spline], true);
  const End end = makeEnd(rig, rig.splines[spline], false);
  rotateBy(hierarchy, pose, start,
           rotation.roll - splineRotation(hierarchy, rig, spline, pose).roll);
  rotateBy(hierarchy, pose, end,
           rotation.twist - splineRotation(hierarchy, rig, spline, pose).twist);
  // The nodes hold it up to half a rotation; but between keys it has a way to go by its number.
  setTwistAt(pose, end.node, rotation.twist);
}

} // namespace sinew
