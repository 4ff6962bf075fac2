#include "physics/reduced_joint.h"

#include <glm/geometric.hpp>

#include <algorithm>

namespace sinew {
namespace {

constexpr glm::dquat kParent(1.0, 0.0, 0.0, 0.0); // all of it is in the parent's space
// A limit has a row where a step may reach it: this near, radians, or by this many steps of the
// spin that there is.
constexpr double kReach = 0.12;
constexpr double kReachSteps = 2.0;

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
    : tree_(tree), link_(link), frame_(frame), motor_(motor) {}

glm::dquat ReducedJoint::childRotation() const {
  const btQuaternion& q = tree_.getParentToLocalRot(link_);
  return glm::normalize(glm::conjugate(glm::dquat(q.w(), q.x(), q.y(), q.z())));
}

std::array<JointPart, 2> ReducedJoint::limits() const {
  using enum JointPart;
  return isHinge() ? std::array{back, front} : std::array{bend, twist};
}

std::array<double, 3> ReducedJoint::along(const glm::dvec3& axis, const glm::dquat& child) const {
  if (isHinge()) return {glm::dot(axis, frame_.axisParent), 0.0, 0.0};
  const glm::dvec3 local = glm::conjugate(child) * axis;
  return {local.x, local.y, local.z};
}

void ReducedJoint::addRows(double seconds, const std::array<double, 3>& spin,
                           std::vector<JointRow>& rows) {
  const glm::dquat child = childRotation();
  std::array<bool, kRows> used{};
  const auto add = [&](std::size_t index, const glm::dvec3& axis, double wanted, double low,
                       double high) {
    used[index] = true;
    rows.push_back({along(axis, child), wanted, low, high, &impulses_[index]});
  };
  const auto mayReach = [&](const AngularRow& row) {
    const std::array<double, 3> axis = along(row.axis, child);
    const double speed = axis[0] * spin[0] + axis[1] * spin[1] + axis[2] * spin[2];
    return row.left < kReach + kReachSteps * seconds * std::max(speed, 0.0);
  };
  std::size_t index = 0;
  const JointAngles angles = jointAngles(frame_, kParent, child);
  for (const JointPart part : limits()) {
    const AngularRow row = limitRow(frame_, part, angles, kParent, child);
    if (row.active && mayReach(row))
      add(index, row.axis, allowedSpin(row, 1.0 / seconds), -kNoBound, 0.0);
    ++index;
  }
  const JointDrive drive = computeDrive(motor_, kParent, child);
  const double max = drive.torque * seconds;
  if (max > 0.0 && isHinge())
    add(index, frame_.axisParent, glm::dot(frame_.axisParent, drive.spin), -max, max);
  for (int i = 0; i < 3 && max > 0.0 && !isHinge(); ++i) {
    glm::dvec3 axis(0.0);
    axis[i] = 1.0;
    add(index + static_cast<std::size_t>(i), axis, drive.spin[i], -max, max);
  }
  for (std::size_t i = 0; i < kRows; ++i) // a later step does not begin with what this one lacks
    if (!used[i]) impulses_[i] = 0.0;
}

bool ReducedJoint::isBeyond(double tolerance) const {
  const JointAngles angles = jointAngles(frame_, kParent, childRotation());
  const auto beyond = [&](JointPart part) { return leftTo(frame_, part, angles) < -tolerance; };
  const auto parts = limits();
  return std::any_of(parts.begin(), parts.end(), beyond);
}

void ReducedJoint::moveIntoLimits(double tolerance, ReducedScratch& scratch) {
  for (const JointPart part : limits()) {
    const glm::dquat child = childRotation();
    const AngularRow row = angularRow(frame_, part, kParent, child);
    if (!row.active || row.left > -tolerance) continue;
    jacobian_.assign(6 + static_cast<std::size_t>(tree_.getNumDofs()), 0.0);
    const std::array<double, 3> own = along(row.axis, child);
    const btMultibodyLink& link = tree_.getLink(link_);
    std::copy_n(own.begin(), link.m_dofCount, jacobian_.begin() + 6 + link.m_dofOffset);
    moveAlong(tree_, jacobian_.data(), row.left, scratch);
  }
}

} // namespace sinew
