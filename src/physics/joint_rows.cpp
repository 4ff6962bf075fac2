#include "physics/joint_rows.h"

#include "core/directions.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Fraction of an error that a step corrects.
constexpr double kRestoreAngle = 0.35;
// Limits farther away than this cannot be reached within a step; radians.
constexpr double kNear = 0.6;
// Rate at which a drive approaches its target, per second.
constexpr double kDriveRate = 18.0;
} // namespace

double leftTo(const JointFrame& frame, JointPart part, const JointAngles& angles) {
  switch (part) {
  case JointPart::front:
    return frame.front - angles.hinge;
  case JointPart::back:
    return angles.hinge - frame.back;
  case JointPart::bend:
    return frame.bend - angles.bend;
  default:
    return frame.rotation - std::abs(angles.twist);
  }
}

AngularRow limitRow(const JointFrame& frame, JointPart part, const JointAngles& angles,
                    const glm::dquat& parent, const glm::dquat& child) {
  const double left = leftTo(frame, part, angles);
  const auto about = [&](const glm::dvec3& by) { return AngularRow{by, left, true, left < kNear}; };
  const glm::dvec3 axis = parent * frame.axisParent;
  if (part == JointPart::front) return about(axis);
  if (part == JointPart::back) return about(-axis);
  const glm::dvec3 direction = child * frame.direction;
  if (part == JointPart::bend) {
    const glm::dvec3 across = glm::cross(axis, direction);
    const double sine = glm::length(across);
    if (sine < 1e-6) return {glm::dvec3(0.0), 0.0, true, false};
    return about(across / sine);
  }
  // The twist changes with rotation about the middle of both directions.
  const double scale = std::max(1.0 + glm::dot(axis, direction), 0.1);
  const double side = angles.twist < 0.0 ? -1.0 : 1.0;
  return about(side / scale * (axis + direction));
}

AngularRow angularRow(const JointFrame& frame, JointPart part, const glm::dquat& parent,
                      const glm::dquat& child) {
  if (part != JointPart::alignU && part != JointPart::alignV)
    return limitRow(frame, part, jointAngles(frame, parent, child), parent, child);
  const glm::dvec3 axis = parent * frame.axisParent;
  const glm::dvec3 u = parent * perpendicular(frame.axisParent);
  const glm::dvec3 across = part == JointPart::alignU ? u : glm::cross(axis, u);
  const glm::dvec3 off = glm::cross(child * frame.axisChild, axis);
  return {across, glm::dot(off, across), false, true};
}

double allowedSpin(const AngularRow& row, double stepsPerSecond) {
  const double fraction = row.limit && row.left > 0.0 ? 1.0 : kRestoreAngle;
  return fraction * row.left * stepsPerSecond;
}

JointDrive computeDrive(const JointMotor& motor, const glm::dquat& parent,
                        const glm::dquat& child) {
  JointDrive drive{glm::dvec3(0.0), motor.friction};
  if (!motor.target || !(motor.torque > 0.0)) return drive;
  const glm::dquat relative = glm::conjugate(parent) * child;
  drive.spin = parent * rotationVector(*motor.target * glm::conjugate(relative)) * kDriveRate;
  drive.torque += motor.torque;
  return drive;
}

} // namespace sinew
