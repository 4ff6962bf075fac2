#include "physics/reduced_joint.h"

#include <glm/geometric.hpp>

namespace sinew {
namespace {

constexpr btScalar kNoBound = 1e30;
constexpr int kRows = 5;                          // two limits, then up to three of the motor
constexpr glm::dquat kParent(1.0, 0.0, 0.0, 0.0); // all of it is in the parent's space

} // namespace

void moveAlong(btMultiBody& tree, const btScalar* jacobian, double distance,
               ReducedScratch& scratch) {
  const int coordinates = 6 + tree.getNumDofs();
  scratch.move.resize(coordinates);
  tree.calcAccelerationDeltasMultiDof(jacobian, &scratch.move[0], scratch.r, scratch.v);
  double gives = 0.0;
  for (int i = 0; i < coordinates; ++i)
    gives += jacobian[i] * scratch.move[i];
  if (!(gives > 0.0)) return;
  for (int i = 0; i < coordinates; ++i)
    scratch.move[i] *= distance / gives;
  tree.stepPositionsMultiDof(1.0, nullptr, &scratch.move[0]);
}

ReducedJoint::ReducedJoint(btMultiBody& tree, int link, const JointFrame& frame,
                           const JointMotor& motor)
    : btMultiBodyConstraint(&tree, nullptr, link, -1, kRows, false, MAX_CONSTRAINT_TYPE),
      frame_(frame), motor_(motor) {
  m_data.resize(kRows, 0.0); // what Bullet stores of the impulses
}

int ReducedJoint::getIslandIdA() const {
  return m_bodyA->getLinkCollider(m_linkA)->getIslandTag();
}

glm::dquat ReducedJoint::childRotation() const {
  const btQuaternion& q = m_bodyA->getParentToLocalRot(m_linkA);
  return glm::normalize(glm::conjugate(glm::dquat(q.w(), q.x(), q.y(), q.z())));
}

std::array<JointPart, 2> ReducedJoint::limits() const {
  using enum JointPart;
  return isHinge() ? std::array{back, front} : std::array{bend, twist};
}

// The joint's coordinates are its relative spin: about a hinge's axis, else in the child's space.
btScalar* ReducedJoint::jacobianOf(const glm::dvec3& axis, const glm::dquat& child) {
  jacobian_.assign(6 + static_cast<std::size_t>(m_bodyA->getNumDofs()), 0.0);
  btScalar* own = jacobian_.data() + 6 + m_bodyA->getLink(m_linkA).m_dofOffset;
  if (isHinge()) {
    own[0] = glm::dot(axis, frame_.axisParent);
    return jacobian_.data();
  }
  const glm::dvec3 local = glm::conjugate(child) * axis;
  for (int i = 0; i < 3; ++i)
    own[i] = local[i];
  return jacobian_.data();
}

void ReducedJoint::createConstraintRows(btMultiBodyConstraintArray& rows,
                                        btMultiBodyJacobianData& data,
                                        const btContactSolverInfo& info) {
  const glm::dquat child = childRotation();
  const double stepsPerSecond = 1.0 / info.m_timeStep;
  std::array<bool, kRows> used{};
  const auto add = [&](int index, const glm::dvec3& axis, double spin, double low, double high) {
    used[static_cast<std::size_t>(index)] = true;
    btMultiBodySolverConstraint& row = rows.expandNonInitializing();
    row.m_orgConstraint = this;
    row.m_orgDofIndex = index;
    row.m_solverBodyIdA = row.m_solverBodyIdB = data.m_fixedBodyId;
    const btVector3 none(0.0, 0.0, 0.0);
    fillMultiBodyConstraint(row, data, jacobianOf(axis, child), nullptr, none, none, none, none,
                            0.0, info, low, high, true, 1.0, false, spin);
  };
  int index = 0;
  for (const JointPart part : limits()) {
    const AngularRow row = angularRow(frame_, part, kParent, child);
    if (row.active) add(index, row.axis, allowedSpin(row, stepsPerSecond), -kNoBound, 0.0);
    ++index;
  }
  const JointDrive drive = driveOf(motor_, kParent, child);
  const double max = drive.torque * info.m_timeStep;
  if (max > 0.0 && isHinge())
    add(index, frame_.axisParent, glm::dot(frame_.axisParent, drive.spin), -max, max);
  for (int i = 0; i < 3 && max > 0.0 && !isHinge(); ++i) {
    glm::dvec3 along(0.0);
    along[i] = 1.0;
    add(index + i, along, drive.spin[i], -max, max);
  }
  for (int i = 0; i < kRows; ++i) // a later step does not begin with what this one did not need
    if (!used[static_cast<std::size_t>(i)]) internalSetAppliedImpulse(i, 0.0);
}

bool ReducedJoint::isBeyond(double tolerance) const {
  const glm::dquat child = childRotation();
  for (const JointPart part : limits())
    if (angularRow(frame_, part, kParent, child).left < -tolerance) return true;
  return false;
}

void ReducedJoint::moveIntoLimits(double tolerance, ReducedScratch& scratch) {
  for (const JointPart part : limits()) {
    const glm::dquat child = childRotation();
    const AngularRow row = angularRow(frame_, part, kParent, child);
    if (!row.active || row.left > -tolerance) continue;
    moveAlong(*m_bodyA, jacobianOf(row.axis, child), row.left, scratch);
  }
}

} // namespace sinew
