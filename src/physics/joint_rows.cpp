#include "physics/joint_rows.h"

#include "core/perpendicular.h"

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

AngularRow angularRow(const JointFrame& frame, JointPart part, const glm::dquat& parent,
                      const glm::dquat& child) {
  const glm::dvec3 axis = parent * frame.axisParent;
  if (part == JointPart::alignU || part == JointPart::alignV) {
    const glm::dvec3 u = parent * perpendicular(frame.axisParent);
    const glm::dvec3 across = part == JointPart::alignU ? u : glm::cross(axis, u);
    const glm::dvec3 off = glm::cross(child * frame.axisChild, axis);
    return {across, glm::dot(off, across), false, true};
  }
  const JointAngles angles = jointAngles(frame, parent, child);
  const auto limit = [](const glm::dvec3& about, double left) {
    return AngularRow{about, left, true, left < kNear};
  };
  if (part == JointPart::front) return limit(axis, frame.front - angles.hinge);
  if (part == JointPart::back) return limit(-axis, angles.hinge - frame.back);
  const glm::dvec3 direction = child * frame.direction;
  if (part == JointPart::bend) {
    const glm::dvec3 across = glm::cross(axis, direction);
    const double sine = glm::length(across);
    if (sine < 1e-6) return {glm::dvec3(0.0), 0.0, true, false};
    return limit(across / sine, frame.bend - angles.bend);
  }
  // The twist changes with rotation about the middle of both directions.
  const double scale = std::max(1.0 + glm::dot(axis, direction), 0.1);
  const double side = angles.twist < 0.0 ? -1.0 : 1.0;
  return limit(side / scale * (axis + direction), frame.rotation - std::abs(angles.twist));
}

double allowedSpin(const AngularRow& row, double stepsPerSecond) {
  const double fraction = row.limit && row.left > 0.0 ? 1.0 : kRestoreAngle;
  return fraction * row.left * stepsPerSecond;
}

JointDrive driveOf(const JointMotor& motor, const glm::dquat& parent, const glm::dquat& child) {
  JointDrive drive{glm::dvec3(0.0), motor.friction};
  if (!motor.target || !(motor.torque > 0.0)) return drive;
  const glm::dquat relative = glm::conjugate(parent) * child;
  drive.spin = parent * rotationVector(*motor.target * glm::conjugate(relative)) * kDriveRate;
  drive.torque += motor.torque;
  return drive;
}

} // namespace sinew
