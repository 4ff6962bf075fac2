// A ragdoll's joint as rows for Bullet's constraint solver.
//
// It differs from Bullet's own hinge and cone joints in two ways. They react to a limit once it is
// exceeded; here the limit's row is active before, and allows the remaining angle within the step
// and no more, so fast limbs stop at their limits instead of beyond them. And they begin every step
// at zero impulse; here anchors and hinges' alignment are warm-started with the load that lasts
// from step to step. (Limits are not: they become active and inactive, and an old impulse would
// kick.)
#pragma once

#include "physics/bullet.h"
#include "physics/joint_rows.h"
#include "physics/physics_world.h"

#include <memory>
#include <vector>

namespace sinew {

// One part of a joint. Each is a separate constraint, as Bullet reports the impulse of a
// constraint's last row only.
class JointConstraint final : public btTypedConstraint {
 public:
  JointConstraint(btRigidBody& parent, btRigidBody& child, const JointFrame& frame, JointPart part,
                  const JointMotor& motor);

  // Before a step: applies the impulse of the last one to the bodies. forget() after they were
  // moved otherwise.
  void warmStart(double seconds);
  void forget();

  void getInfo1(btConstraintInfo1* info) override;
  void getInfo2(btConstraintInfo2* info) override;
  void setParam(int, btScalar, int) override {}
  btScalar getParam(int, int) const override { return 0.0; }

 private:
  RigidTransform parentTransform() const { return fromBullet(m_rbA.getCenterOfMassTransform()); }
  RigidTransform childTransform() const { return fromBullet(m_rbB.getCenterOfMassTransform()); }
  AngularRow row() const;
  void anchorRows(btConstraintInfo2& info) const;
  void putAngularRow(btConstraintInfo2& info) const;
  void motorRows(btConstraintInfo2& info) const;

  JointFrame frame_;
  JointPart part_;
  const JointMotor& motor_;
  btJointFeedback feedback_;
  double warm_ = 0.0;         // angular impulse that the step began with
  double held_ = 0.0;         // the whole one, in the step before
  glm::dvec3 warmForce_{0.0}; // the same for the anchor
  glm::dvec3 heldForce_{0.0};
};

// A joint with those of its parts that Bullet solves, and its motor: for the severity solver the
// motor alone, in reduced coordinates none (reduced_bodies.h).
struct BulletJoint {
  JointMotor motor;
  std::vector<std::unique_ptr<JointConstraint>> parts;

  BulletJoint(btDynamicsWorld& world, btRigidBody& parent, btRigidBody& child,
              const JointFrame& frame, JointSolver solver);
  ~BulletJoint();
  BulletJoint(const BulletJoint&) = delete;
  BulletJoint& operator=(const BulletJoint&) = delete;

 private:
  btDynamicsWorld& world_;
};

} // namespace sinew
