#include "physics/joint_constraint.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <limits>

namespace sinew {
namespace {

// Share of an error that a step takes back.
constexpr double kRestore = 0.35;
// Limits further than this are no matter within a step; radians.
constexpr double kNear = 0.6;
// How fast a drive wants to reach its target, per second.
constexpr double kDriveRate = 18.0;

} // namespace

// Fills rows one after another: J (v, w of parent, then of child) = error, impulse in [low, high].
class JointConstraint::Rows {
 public:
  explicit Rows(btConstraintInfo2& info) : info_(info) {}

  double perSecond() const { return info_.fps; }

  void add(const glm::dvec3& linear, const glm::dvec3& parentArm, const glm::dvec3& childArm,
           double error) {
    put(info_.m_J1linearAxis, linear);
    put(info_.m_J1angularAxis, glm::cross(parentArm, linear));
    put(info_.m_J2linearAxis, -linear);
    put(info_.m_J2angularAxis, -glm::cross(childArm, linear));
    finish(error, -kUnbounded, kUnbounded);
  }

  // The child turns about the axis against the parent at `speed`, by an impulse within the bounds.
  void turn(const glm::dvec3& axis, double speed, double low, double high) {
    put(info_.m_J1angularAxis, -axis);
    put(info_.m_J2angularAxis, axis);
    finish(speed, low, high);
  }

  // The child turns about the axis no faster than closes `left` in this step; what is beyond the
  // limit comes back.
  void limit(const glm::dvec3& axis, double left) {
    const double allowed = (left < 0.0 ? kRestore * left : left) * perSecond();
    turn(axis, allowed, -kUnbounded, 0.0);
  }

  int count() const { return count_; }

  static constexpr double kUnbounded = 1e30;

 private:
  void put(btScalar* rows, const glm::dvec3& v) const {
    btScalar* row = rows + std::ptrdiff_t{count_} * info_.rowskip;
    row[0] = v.x;
    row[1] = v.y;
    row[2] = v.z;
  }
  void finish(double error, double low, double high) {
    const std::ptrdiff_t at = std::ptrdiff_t{count_} * info_.rowskip;
    info_.m_constraintError[at] = error;
    info_.m_lowerLimit[at] = low;
    info_.m_upperLimit[at] = high;
    ++count_;
  }

  btConstraintInfo2& info_;
  int count_ = 0;
};

JointConstraint::JointConstraint(btRigidBody& parent, btRigidBody& child, const JointFrame& frame,
                                 bool holds)
    : btTypedConstraint(MAX_CONSTRAINT_TYPE, parent, child), frame_(frame), holds_(holds) {}

// Rows that a step does not need are left at zero: they do nothing.
void JointConstraint::getInfo1(btConstraintInfo1* info) {
  const bool hinge = frame_.type == RagdollJointType::hinge;
  info->m_numConstraintRows = (holds_ ? (hinge ? 7 : 5) : 0) + (hinge ? 1 : 3);
  info->nub = 0;
}

void JointConstraint::getInfo2(btConstraintInfo2* info) {
  Rows rows(*info);
  if (holds_) {
    const BodyPlace parent = fromBullet(m_rbA.getCenterOfMassTransform());
    const BodyPlace child = fromBullet(m_rbB.getCenterOfMassTransform());
    const glm::dvec3 parentArm = parent.rotation * frame_.anchorParent;
    const glm::dvec3 childArm = child.rotation * frame_.anchorChild;
    const glm::dvec3 apart = child.position + childArm - parent.position - parentArm;
    for (int axis = 0; axis < 3; ++axis) {
      glm::dvec3 along(0.0);
      along[axis] = 1.0;
      rows.add(along, parentArm, childArm, kRestore * apart[axis] * rows.perSecond());
    }
    limitRows(rows);
  }
  motorRows(rows);
}

void JointConstraint::limitRows(Rows& rows) const {
  const BodyPlace parent = fromBullet(m_rbA.getCenterOfMassTransform());
  const BodyPlace child = fromBullet(m_rbB.getCenterOfMassTransform());
  const JointAngles angles = jointAngles(frame_, parent.rotation, child.rotation);
  const glm::dvec3 axis = parent.rotation * frame_.axisParent;
  if (frame_.type == RagdollJointType::hinge) {
    const glm::dvec3 off = glm::cross(child.rotation * frame_.axisChild, axis);
    const glm::dvec3 u = perpendicular(axis);
    for (const glm::dvec3& across : {u, glm::cross(axis, u)})
      rows.turn(across, kRestore * glm::dot(off, across) * rows.perSecond(), -Rows::kUnbounded,
                Rows::kUnbounded);
    if (const double left = frame_.front - angles.hinge; left < kNear) rows.limit(axis, left);
    if (const double left = angles.hinge - frame_.back; left < kNear) rows.limit(-axis, left);
    return;
  }
  const glm::dvec3 direction = child.rotation * frame_.direction;
  const glm::dvec3 across = glm::cross(axis, direction);
  const double sine = glm::length(across);
  if (const double left = frame_.bend - angles.bend; left < kNear && sine > 1e-6)
    rows.limit(across / sine, left);
  // The twist changes with the turn about the middle of both directions.
  const glm::dvec3 middle = axis + direction;
  const double scale = std::max(1.0 + glm::dot(axis, direction), 0.1);
  if (const double left = frame_.rotation - std::abs(angles.twist); left < kNear)
    rows.limit((angles.twist < 0.0 ? -1.0 : 1.0) / scale * middle, left);
}

void JointConstraint::motorRows(Rows& rows) const {
  const glm::dquat parent = fromBullet(m_rbA.getCenterOfMassTransform()).rotation;
  const glm::dquat child = fromBullet(m_rbB.getCenterOfMassTransform()).rotation;
  glm::dvec3 speed(0.0);
  double torque = motor.friction;
  if (motor.target && motor.torque > 0.0) {
    const glm::dquat relative = glm::conjugate(parent) * child;
    speed = parent * rotationVector(*motor.target * glm::conjugate(relative)) * kDriveRate;
    torque += motor.torque;
  }
  if (!(torque > 0.0)) return;
  const double most = torque / rows.perSecond();
  if (frame_.type == RagdollJointType::hinge) {
    const glm::dvec3 axis = parent * frame_.axisParent;
    rows.turn(axis, glm::dot(axis, speed), -most, most);
    return;
  }
  for (int i = 0; i < 3; ++i) {
    glm::dvec3 axis(0.0);
    axis[i] = 1.0;
    rows.turn(axis, speed[i], -most, most);
  }
}

} // namespace sinew
