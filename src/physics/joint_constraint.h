// A ragdoll's joint as rows for Bullet's constraint solver.
//
// Bullet's own hinge and cone joints notice a limit once it is passed; here the row of a limit is
// there before, and allows the joint to close what is left of the way within the step and no more.
// So fast limbs stop at their limits instead of behind them.
#pragma once

#include "physics/bullet.h"

#include <optional>

namespace sinew {

// Resistance and drive of a joint.
struct JointMotor {
  double friction = 0.0;             // torque that resists any turn
  double torque = 0.0;               // the most the drive has
  std::optional<glm::dquat> target;  // parent from child, to drive to
};

class JointConstraint final : public btTypedConstraint {
 public:
  // Without `holds` the rows of anchor and limits are left out: the severity solver does theirs.
  JointConstraint(btRigidBody& parent, btRigidBody& child, const JointFrame& frame, bool holds);

  JointMotor motor;

  void getInfo1(btConstraintInfo1* info) override;
  void getInfo2(btConstraintInfo2* info) override;
  void setParam(int, btScalar, int) override {}
  btScalar getParam(int, int) const override { return 0.0; }

 private:
  class Rows;

  void limitRows(Rows& rows) const;
  void motorRows(Rows& rows) const;

  JointFrame frame_;
  bool holds_;
};

} // namespace sinew
