// The limits and the motor of a joint as rows for Bullet's solver in reduced coordinates.
#pragma once

#include "physics/bullet.h"
#include "physics/joint_rows.h"

#include <array>
#include <vector>

namespace sinew {

// Scratch memory that Bullet asks for; what is in it does not matter.
struct ReducedScratch {
  btAlignedObjectArray<btScalar> r;
  btAlignedObjectArray<btVector3> v;
  btAlignedObjectArray<btMatrix3x3> m;
  btAlignedObjectArray<btQuaternion> rotations;
  btAlignedObjectArray<btVector3> origins;
  btAlignedObjectArray<btScalar> move;
};

// Moves the tree, the least by mass, by `distance` of what the row measures. The tree has stored
// what it needs about its pose.
void moveAlong(btMultiBody& tree, const btScalar* jacobian, double distance,
               ReducedScratch& scratch);

class ReducedJoint final : public btMultiBodyConstraint {
 public:
  ReducedJoint(btMultiBody& tree, int link, const JointFrame& frame, const JointMotor& motor);

  void createConstraintRows(btMultiBodyConstraintArray& rows, btMultiBodyJacobianData& data,
                            const btContactSolverInfo& info) override;
  int getIslandIdA() const override;
  int getIslandIdB() const override { return -1; }
  void finalizeMultiDof() override {}
  void debugDraw(btIDebugDraw*) override {}

  // Moves the tree so that the joint is within its limits, but for `tolerance` radians.
  void moveIntoLimits(double tolerance, ReducedScratch& scratch);
  bool isBeyond(double tolerance) const;

 private:
  bool isHinge() const { return frame_.type == RagdollJointType::hinge; }
  glm::dquat childRotation() const;
  std::array<JointPart, 2> limits() const;
  btScalar* jacobianOf(const glm::dvec3& axis, const glm::dquat& child);

  const JointFrame& frame_;
  const JointMotor& motor_;
  std::vector<btScalar> jacobian_; // of the row at hand, for all coordinates of the tree
};

} // namespace sinew
