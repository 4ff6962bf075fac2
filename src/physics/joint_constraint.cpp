#include "physics/joint_constraint.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Fraction of an error that a step corrects.
constexpr double kRestore = 0.35;
// Fraction of the last step's impulse that the next one begins with.
constexpr double kWarmStart = 0.5;

void put(btScalar* rows, int row, const btTypedConstraint::btConstraintInfo2& info,
         const glm::dvec3& v) {
  btScalar* at = rows + std::ptrdiff_t{row} * info.rowskip;
  at[0] = v.x;
  at[1] = v.y;
  at[2] = v.z;
}

// J (v, w of parent, then of child) = error, by an impulse in [low, high].
void bound(btTypedConstraint::btConstraintInfo2& info, int row, double error, double low,
           double high) {
  const std::ptrdiff_t at = std::ptrdiff_t{row} * info.rowskip;
  info.m_constraintError[at] = error;
  info.m_lowerLimit[at] = low;
  info.m_upperLimit[at] = high;
}

void putAngularAxis(btTypedConstraint::btConstraintInfo2& info, int row, const glm::dvec3& axis) {
  put(info.m_J1angularAxis, row, info, -axis);
  put(info.m_J2angularAxis, row, info, axis);
}

glm::dvec3 unit(int axis) {
  glm::dvec3 v(0.0);
  v[axis] = 1.0;
  return v;
}

void addSpin(btRigidBody& body, const glm::dvec3& impulse) {
  body.setAngularVelocity(body.getAngularVelocity() +
                          body.getInvInertiaTensorWorld() * toBullet(impulse));
}

// What two steps have in common: a load lasts; a blow does not, and would act twice.
glm::dvec3 lasting(const glm::dvec3& now, const glm::dvec3& before) {
  const double all = glm::dot(before, before);
  if (!(all > 0.0)) return glm::dvec3(0.0);
  return std::clamp(glm::dot(now, before) / all, 0.0, 1.0) * before;
}

double lasting(double now, double before) {
  if (now * before <= 0.0) return 0.0;
  return std::abs(now) < std::abs(before) ? now : before;
}

} // namespace

JointConstraint::JointConstraint(btRigidBody& parent, btRigidBody& child, const JointFrame& frame,
                                 JointPart part, const JointMotor& motor)
    : btTypedConstraint(MAX_CONSTRAINT_TYPE, parent, child), frame_(frame), part_(part),
      motor_(motor) {
  forget();
  if (part == JointPart::anchor) setJointFeedback(&feedback_);
}

void JointConstraint::forget() {
  warm_ = held_ = 0.0;
  heldForce_ = glm::dvec3(0.0);
  warmForce_ = glm::dvec3(0.0);
  m_appliedImpulse = 0.0;
  for (btVector3* each : {&feedback_.m_appliedForceBodyA, &feedback_.m_appliedTorqueBodyA,
                          &feedback_.m_appliedForceBodyB, &feedback_.m_appliedTorqueBodyB})
    each->setZero();
}

// What Bullet reports is what it added to the warm start.
void JointConstraint::warmStart(double seconds) {
  if (part_ == JointPart::motor || (!m_rbA.isActive() && !m_rbB.isActive())) return;
  if (part_ == JointPart::anchor) {
    const glm::dvec3 held = warmForce_ + seconds * fromBullet(feedback_.m_appliedForceBodyA);
    warmForce_ = kWarmStart * lasting(held, heldForce_);
    heldForce_ = held;
    const glm::dvec3 parentArm = parentTransform().rotation * frame_.anchorParent;
    const glm::dvec3 childArm = childTransform().rotation * frame_.anchorChild;
    m_rbA.applyImpulse(toBullet(warmForce_), toBullet(parentArm));
    m_rbB.applyImpulse(toBullet(-warmForce_), toBullet(childArm));
    return;
  }
  if (part_ != JointPart::alignU && part_ != JointPart::alignV) return;
  const AngularRow row = this->row();
  const double total = warm_ + m_appliedImpulse;
  warm_ = kWarmStart * lasting(total, held_);
  held_ = total;
  m_appliedImpulse = 0.0;
  addSpin(m_rbA, -warm_ * row.axis);
  addSpin(m_rbB, warm_ * row.axis);
}

void JointConstraint::getInfo1(btConstraintInfo1* info) {
  const bool one = frame_.type == RagdollJointType::hinge || part_ != JointPart::motor;
  info->m_numConstraintRows = part_ == JointPart::anchor || !one ? 3 : 1;
  info->nub = 0;
}

// Rows that a step does not need are left at zero: they do nothing.
void JointConstraint::getInfo2(btConstraintInfo2* info) {
  if (part_ == JointPart::anchor)
    anchorRows(*info);
  else if (part_ == JointPart::motor)
    motorRows(*info);
  else
    putAngularRow(*info);
}

void JointConstraint::anchorRows(btConstraintInfo2& info) const {
  const RigidTransform parent = parentTransform();
  const RigidTransform child = childTransform();
  const glm::dvec3 parentArm = parent.rotation * frame_.anchorParent;
  const glm::dvec3 childArm = child.rotation * frame_.anchorChild;
  const glm::dvec3 apart = child.position + childArm - parent.position - parentArm;
  for (int axis = 0; axis < 3; ++axis) {
    const glm::dvec3 along = unit(axis);
    put(info.m_J1linearAxis, axis, info, along);
    put(info.m_J1angularAxis, axis, info, glm::cross(parentArm, along));
    put(info.m_J2linearAxis, axis, info, -along);
    put(info.m_J2angularAxis, axis, info, -glm::cross(childArm, along));
    bound(info, axis, kRestore * apart[axis] * info.fps, -kNoBound, kNoBound);
  }
}

AngularRow JointConstraint::row() const {
  return angularRow(frame_, part_, parentTransform().rotation, childTransform().rotation);
}

// A limit's impulse acts only away from the limit.
void JointConstraint::putAngularRow(btConstraintInfo2& info) const {
  const AngularRow row = this->row();
  if (!row.active) return;
  putAngularAxis(info, 0, row.axis);
  bound(info, 0, allowedSpin(row, info.fps), -kNoBound, row.limit ? 0.0 : kNoBound);
}

void JointConstraint::motorRows(btConstraintInfo2& info) const {
  const glm::dquat parent = parentTransform().rotation;
  const JointDrive drive = computeDrive(motor_, parent, childTransform().rotation);
  if (!(drive.torque > 0.0)) return;
  const double max = drive.torque / info.fps;
  if (frame_.type == RagdollJointType::hinge) {
    const glm::dvec3 axis = parent * frame_.axisParent;
    putAngularAxis(info, 0, axis);
    return bound(info, 0, glm::dot(axis, drive.spin), -max, max);
  }
  for (int i = 0; i < 3; ++i) {
    putAngularAxis(info, i, unit(i));
    bound(info, i, drive.spin[i], -max, max);
  }
}

BulletJoint::BulletJoint(btDynamicsWorld& world, btRigidBody& parent, btRigidBody& child,
                         const JointFrame& frame, JointSolver solver)
    : world_(world) {
  using enum JointPart;
  const bool holds = solver == JointSolver::bullet;
  std::vector<JointPart> all;
  if (solver != JointSolver::reduced) all.push_back(JointPart::motor);
  if (holds && frame.type == RagdollJointType::hinge)
    all.insert(all.end(), {back, front, alignU, alignV, anchor});
  else if (holds)
    all.insert(all.end(), {bend, twist, anchor});
  for (const JointPart part : all) {
    parts.push_back(std::make_unique<JointConstraint>(parent, child, frame, part, this->motor));
    world_.addConstraint(parts.back().get(), true);
  }
}

BulletJoint::~BulletJoint() {
  for (const auto& part : parts)
    world_.removeConstraint(part.get());
}

} // namespace sinew
