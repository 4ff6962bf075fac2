// A ragdoll's joint as rows for Bullet's constraint solver.
//
// Two things Bullet's own hinge and cone joints lack. They notice a limit once it is passed; here
// its row is there before, and lets the joint close what is left of the way within the step and no
// more, so fast limbs stop at their limits instead of behind them. And they begin every step from
// nothing; here anchors and hinges' alignment begin with the load that lasts from step to step.
// (Limits begin from nothing here too: they come and go, and what they held would kick.)
#pragma once

#include "physics/bullet.h"

#include <memory>
#include <optional>
#include <vector>

namespace sinew {

// Resistance and drive of a joint.
struct JointMotor {
  double friction = 0.0;            // torque that resists any turn
  double torque = 0.0;              // the most the drive has
  std::optional<glm::dquat> target; // parent from child, to drive to
};

enum class JointPart {
  anchor, // 3 rows
  alignU,
  alignV, // hinge: the two turns across the axis
  back,
  front, // hinge
  bend,
  twist, // universal
  motor, // 1 row of a hinge, else 3
};

// One part of a joint. Each is a constraint of its own, for Bullet tells the impulse of a
// constraint's last row alone.
class JointConstraint final : public btTypedConstraint {
 public:
  JointConstraint(btRigidBody& parent, btRigidBody& child, const JointFrame& frame, JointPart part,
                  const JointMotor& motor);

  // Before a step: gives the bodies what held in the last one. forget() after they were put
  // elsewhere.
  void warmStart(double seconds);
  void forget();

  void getInfo1(btConstraintInfo1* info) override;
  void getInfo2(btConstraintInfo2* info) override;
  void setParam(int, btScalar, int) override {}
  btScalar getParam(int, int) const override { return 0.0; }

 private:
  // One row that turns the child about `axis` against the parent.
  struct Turn {
    glm::dvec3 axis{0.0};
    double left = 0.0; // radians: to the limit, or of an error to take back
    bool limit = false;
    bool active = true;
  };

  BodyPlace parentPlace() const { return fromBullet(m_rbA.getCenterOfMassTransform()); }
  BodyPlace childPlace() const { return fromBullet(m_rbB.getCenterOfMassTransform()); }
  Turn turn() const;
  void anchorRows(btConstraintInfo2& info) const;
  void turnRow(btConstraintInfo2& info) const;
  void motorRows(btConstraintInfo2& info) const;

  JointFrame frame_;
  JointPart part_;
  const JointMotor& motor_;
  btJointFeedback feedback_;
  double warm_ = 0.0;         // impulse the step began with, of a turn
  double held_ = 0.0;         // all of it, in the step before
  glm::dvec3 warmForce_{0.0}; // the same of the anchor
  glm::dvec3 heldForce_{0.0};
};

// A joint with all its parts. Without `holds` it has its motor alone: the severity solver does the
// rest.
struct BulletJoint {
  JointMotor motor;
  std::vector<std::unique_ptr<JointConstraint>> parts;

  BulletJoint(btDynamicsWorld& world, btRigidBody& parent, btRigidBody& child,
              const JointFrame& frame, bool holds);
  ~BulletJoint();
  BulletJoint(const BulletJoint&) = delete;
  BulletJoint& operator=(const BulletJoint&) = delete;

 private:
  btDynamicsWorld& world_;
};

} // namespace sinew
