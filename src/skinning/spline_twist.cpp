#include "skinning/spline_twist.h"

#include "skinning/free_spline_pose.h"
#include "skinning/spline_palette.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace sinew {
namespace {

using glm::dvec3;

constexpr float kHalfRotation = 3.14159265f; // a twist that the nodes hold by themselves

// Node space from bind space, by the first skin that binds the node.
mat4 nodeFromBind(const Model& model, std::uint32_t node) {
  for (const Skin& skin : model.skins)
    for (const SkinJoint& joint : skin.joints)
      if (joint.node == node) return joint.jointFromBind;
  assert(false); // a spline's nodes are joints
  return mat4(1.0f);
}

std::array<mat4, 3> modelFromBind(const Model& model, const FreeSpline& spline,
                                  std::span<const mat4> modelFromNode) {
  std::array<mat4, 3> out;
  for (std::size_t i = 0; i < 3; ++i)
    out[i] = modelFromNode[spline.nodes[i]] * nodeFromBind(model, spline.nodes[i]);
  return out;
}

// Rotates a node about a line of its bind space, before all it does already. A scale that differs
// between the axes would shear, which a node cannot: it then rotates by the same angle in node
// space.
void rotateNode(const Model& model, std::uint32_t node, const vec3& through, const vec3& along,
                float angle, Pose& pose) {
  const mat4 fromBind = nodeFromBind(model, node);
  const vec3 point = transformPoint(fromBind, through);
  const quat rotation = glm::angleAxis(angle, glm::normalize(transformVector(fromBind, along)));
  Transform& local = pose.parentFromNode[node];
  local.translation += local.rotation * (local.scale * (point - rotation * point));
  local.rotation = glm::normalize(local.rotation * rotation);
}

} // namespace

float splineRoll(const Model& model, std::size_t index, const Pose& pose) {
  const FreeSpline& spline = model.splines[index];
  const std::uint32_t node = spline.nodes[0];
  const quat& rest = model.hierarchy.nodes[node].rest.rotation;
  const quat fromRest = glm::conjugate(rest) * pose.parentFromNode[node].rotation;
  const vec3 along = glm::normalize(
      transformVector(nodeFromBind(model, node), vec3(shapeOf(spline.points).start)));
  const float sine = glm::dot(vec3(fromRest.x, fromRest.y, fromRest.z), along);
  return static_cast<float>(
      wrappedAngle(2.0 * std::atan2(static_cast<double>(sine), static_cast<double>(fromRest.w))));
}

void setSplineRoll(const Model& model, std::size_t index, float roll, Pose& pose) {
  const FreeSpline& spline = model.splines[index];
  rotateNode(model, spline.nodes[0], spline.points[0], vec3(shapeOf(spline.points).start),
             roll - splineRoll(model, index, pose), pose);
}

float splineTwist(const Model& model, std::size_t index, const Pose& pose) {
  const FreeSpline& spline = model.splines[index];
  const auto nodes = modelFromNodes(model.hierarchy, pose);
  const PosedSpline posed =
      poseSpline(shapeOf(spline.points), spline.points, modelFromBind(model, spline, nodes));
  return static_cast<float>(
      nearestAngle(posed.twist, static_cast<double>(twistAt(pose, spline.nodes[2]))));
}

void setSplineTwist(const Model& model, std::size_t index, float twist, Pose& pose) {
  const FreeSpline& spline = model.splines[index];
  const auto nodes = modelFromNodes(model.hierarchy, pose);
  const auto matrices = modelFromBind(model, spline, nodes);
  const PosedSpline posed = poseSpline(shapeOf(spline.points), spline.points, matrices);
  // The posed direction at the end, seen from the third node's bind space.
  const glm::dmat3 linear(matrices[2]);
  if (std::abs(glm::determinant(linear)) < 1e-12) return; // scaled to nothing: nothing to rotate
  const dvec3 along = glm::normalize(glm::inverse(linear) * posed.d23);
  const double mirrored = glm::determinant(linear) < 0.0 ? -1.0 : 1.0;
  rotateNode(model, spline.nodes[2], spline.points[2], vec3(along),
             static_cast<float>(mirrored * (static_cast<double>(twist) - posed.twist)), pose);
  setTwistAt(pose, spline.nodes[2], std::abs(twist) > kHalfRotation ? twist : 0.0f);
}

std::array<vec3, 3> posedPoints(const Model& model, std::size_t index,
                                std::span<const mat4> modelFromNode) {
  const FreeSpline& spline = model.splines[index];
  const auto matrices = modelFromBind(model, spline, modelFromNode);
  std::array<vec3, 3> out;
  for (std::size_t i = 0; i < 3; ++i)
    out[i] = transformPoint(matrices[i], spline.points[i]);
  return out;
}

} // namespace sinew
