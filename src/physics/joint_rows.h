// The rows that hold a joint: which rotations of the child relative to the parent a step bounds,
// and by how much. What the solvers that work with constraints have in common.
#pragma once

#include "physics/joint_math.h"

#include <optional>

namespace sinew {

inline constexpr double kNoBound = 1e30; // an impulse without a bound

// Resistance and drive of a joint.
struct JointMotor {
  double friction = 0.0;            // torque that resists any rotation
  double torque = 0.0;              // the drive's maximum
  std::optional<glm::dquat> target; // parent from child, to drive to
};

enum class JointPart {
  anchor, // 3 rows
  alignU,
  alignV, // hinge: the two rotations across the axis
  back,
  front, // hinge
  bend,
  twist, // universal
  motor, // 1 row of a hinge, else 3
};

// A row that bounds the rotation of the child about `axis` relative to the parent.
struct AngularRow {
  glm::dvec3 axis{0.0};
  double left = 0.0; // radians: to the limit, or of an error to correct
  bool limit = false;
  bool active = true; // false: the limit cannot be reached within a step
};

// Radians to the limit of a part that has one.
double leftTo(const JointFrame& frame, JointPart part, const JointAngles& angles);

// The row of a part that has a limit. parent, child: the world from the bodies; angles: theirs.
AngularRow limitRow(const JointFrame& frame, JointPart part, const JointAngles& angles,
                    const glm::dquat& parent, const glm::dquat& child);
// The row of a part that is neither the anchor nor the motor.
AngularRow angularRow(const JointFrame& frame, JointPart part, const glm::dquat& parent,
                      const glm::dquat& child);

// The spin about the row's axis, radians a second: at most, where it is a limit, else exactly.
double allowedSpin(const AngularRow& row, double stepsPerSecond);

// The relative spin (world, radians a second) that the motor drives to, by at most the torque.
struct JointDrive {
  glm::dvec3 spin{0.0};
  double torque = 0.0;
};
JointDrive computeDrive(const JointMotor& motor, const glm::dquat& parent, const glm::dquat& child);

} // namespace sinew
