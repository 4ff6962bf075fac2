#include "physics/joint_math.h"

#include "core/directions.h"
#include "core/error.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

// The rotation of q about a unit axis, in (-pi, pi].
double twistAngle(const glm::dquat& q, const glm::dvec3& axis) {
  const double angle = 2.0 * std::atan2(glm::dot(glm::dvec3(q.x, q.y, q.z), axis), q.w);
  return angle > std::numbers::pi     ? angle - 2.0 * std::numbers::pi
         : angle <= -std::numbers::pi ? angle + 2.0 * std::numbers::pi
                                      : angle;
}

double beyond(double value, double low, double high) {
  return std::max({low - value, value - high, 0.0});
}

} // namespace

RigidTransform operator*(const RigidTransform& a, const RigidTransform& b) {
  return {a.point(b.position), glm::normalize(a.rotation * b.rotation)};
}

RigidTransform inverse(const RigidTransform& transform) {
  const glm::dquat back = glm::conjugate(transform.rotation);
  return {-(back * transform.position), back};
}

glm::dquat shortestArc(const glm::dvec3& from, const glm::dvec3& to) {
  const double cosine = glm::dot(from, to);
  if (cosine < -1.0 + 1e-12) return glm::angleAxis(std::numbers::pi, perpendicular(from));
  const glm::dvec3 axis = glm::cross(from, to);
  return glm::normalize(glm::dquat(1.0 + cosine, axis.x, axis.y, axis.z));
}

glm::dvec3 rotationVector(const glm::dquat& rotation) {
  const double sign = rotation.w < 0.0 ? -1.0 : 1.0;
  const glm::dvec3 v = sign * glm::dvec3(rotation.x, rotation.y, rotation.z);
  const double sine = glm::length(v);
  if (sine < 1e-12) return 2.0 * v;
  return (2.0 * std::atan2(sine, sign * rotation.w) / sine) * v;
}

glm::dquat toRotation(const glm::dvec3& vector) {
  const double angle = glm::length(vector);
  if (angle < 1e-12) return glm::normalize(glm::dquat(1.0, 0.5 * vector));
  return glm::angleAxis(angle, vector / angle);
}

JointFrame jointFrame(const RagdollJoint& joint, const RigidTransform& parent,
                      const RigidTransform& child, double metresPerUnit) {
  JointFrame frame;
  frame.type = joint.type;
  frame.anchorParent = metresPerUnit * glm::dvec3(joint.anchor);
  frame.anchorChild = inverse(child).point(parent.point(frame.anchorParent));
  frame.axisParent = glm::normalize(glm::dvec3(joint.axis));
  frame.radiusParent = glm::length(frame.anchorParent);
  frame.radiusChild = glm::length(frame.anchorChild);
  frame.direction =
      frame.radiusChild > 1e-9 ? -frame.anchorChild / frame.radiusChild : glm::dvec3(0.0, 1.0, 0.0);
  frame.reference = glm::normalize(glm::conjugate(parent.rotation) * child.rotation);
  frame.axisChild = glm::conjugate(frame.reference) * frame.axisParent;
  if (joint.type == RagdollJointType::universal)
    frame.reference =
        shortestArc(frame.reference * frame.direction, frame.axisParent) * frame.reference;
  frame.back = static_cast<double>(joint.backAngle);
  frame.front = static_cast<double>(joint.frontAngle);
  frame.rotation = static_cast<double>(joint.rotationalFreedom);
  frame.bend = static_cast<double>(joint.bendFreedom);
  return frame;
}

JointAngles jointAngles(const JointFrame& frame, const glm::dquat& parent,
                        const glm::dquat& child) {
  const glm::dquat relative = glm::conjugate(parent) * child; // parent from child
  JointAngles angles;
  if (frame.type == RagdollJointType::hinge) {
    const double angle = twistAngle(relative * glm::conjugate(frame.reference), frame.axisParent);
    // The nearest to the limits among the angles that differ by 360 degrees.
    const double middle = 0.5 * (frame.back + frame.front);
    angles.hinge = middle + std::remainder(angle - middle, 2.0 * std::numbers::pi);
  } else {
    angles.bend = angleBetween(relative * frame.direction, frame.axisParent);
    angles.twist = twistAngle(glm::conjugate(frame.reference) * relative, frame.direction);
  }
  return angles;
}

double JointErrors::limitExcess() const {
  return std::max({sideways, orientation, bend});
}

JointErrors jointErrors(const JointFrame& frame, const RigidTransform& parent,
                        const RigidTransform& child) {
  JointErrors errors;
  errors.position = glm::length(child.point(frame.anchorChild) - parent.point(frame.anchorParent));
  const JointAngles angles = jointAngles(frame, parent.rotation, child.rotation);
  if (frame.type == RagdollJointType::universal) {
    errors.orientation = std::max(std::abs(angles.twist) - frame.rotation, 0.0);
    errors.bend = std::max(angles.bend - frame.bend, 0.0);
    return errors;
  }
  const glm::dvec3 axis = parent.rotation * frame.axisParent;
  const glm::dvec3 direction = child.rotation * frame.direction;
  // On the circle the direction keeps the angle to the axis that it has when bound; the paper's
  // equations are the case of a right angle.
  errors.sideways =
      std::abs(angleBetween(direction, axis) - angleBetween(frame.direction, frame.axisChild));
  errors.orientation = angleBetween(axis, child.rotation * frame.axisChild);
  errors.bend = beyond(angles.hinge, frame.back, frame.front);
  return errors;
}

double severity(const JointErrors& errors, const JointFrame& frame, double parentFraction) {
  const double radius =
      parentFraction * frame.radiusParent + (1.0 - parentFraction) * frame.radiusChild;
  return errors.position + errors.angle() * radius;
}

glm::dquat allowedRotation(const JointFrame& frame, const glm::dquat& parent,
                           const glm::dquat& child) {
  const JointAngles angles = jointAngles(frame, parent, child);
  if (frame.type == RagdollJointType::hinge) {
    const double angle = std::clamp(angles.hinge, frame.back, frame.front);
    return parent * glm::angleAxis(angle, frame.axisParent) * frame.reference;
  }
  const glm::dvec3 direction = glm::conjugate(parent) * (child * frame.direction);
  const double bend = std::min(angles.bend, frame.bend);
  glm::dvec3 axis = glm::cross(frame.axisParent, direction);
  const double sine = glm::length(axis);
  axis = sine > 1e-12 ? axis / sine : perpendicular(frame.axisParent);
  const glm::dquat swing = glm::angleAxis(bend, axis);
  const double twist = std::clamp(angles.twist, -frame.rotation, frame.rotation);
  return parent * swing * frame.reference * glm::angleAxis(twist, frame.direction);
}

std::vector<BodyBinding> bindBodies(const Model& model, std::span<const RagdollBody> bodies) {
  const std::vector<mat4> modelFromNode = modelFromNodes(model.hierarchy, bindPose(model));
  std::vector<BodyBinding> bindings;
  for (const RagdollBody& body : bodies) {
    const auto node = findNode(model.hierarchy, body.bone);
    if (!node) throw inputError(model.path, "the model has no bone '" + body.bone + "'");
    bindings.push_back({*node,
                        {glm::dvec3(body.center), glm::normalize(glm::dquat(body.rotation))},
                        glm::inverse(modelFromNode[*node])});
  }
  return bindings;
}

RigidTransform bodyTransform(const BodyBinding& binding, std::span<const mat4> modelFromNode) {
  const mat4 modelFromBind = modelFromNode[binding.node] * binding.bindFromNode;
  const glm::dquat rotation = glm::normalize(glm::dquat(decompose(modelFromBind).rotation));
  return {glm::dvec3(transformPoint(modelFromBind, vec3(binding.bind.position))),
          glm::normalize(rotation * binding.bind.rotation)};
}

} // namespace sinew
