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

#include <memory>
#include <optional>
#include <vector>

namespace sinew {

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
  // A row that rotates the child about `axis` relative to the parent.
  struct AngularRow {
    glm::dvec3 axis{0.0};
    double left = 0.0; // radians: to the limit, or of an error to correct
    bool limit = false;
    bool active = true;
  };

  RigidTransform parentTransform() const { return fromBullet(m_rbA.getCenterOfMassTransform()); }
  RigidTransform childTransform() const { return fromBullet(m_rbB.getCenterOfMassTransform()); }
  AngularRow angularRow() const;
  void anchorRows(btConstraintInfo2& info) const;
  void putAngularRow(btConstraintInfo2& info) const;
  void motorRows(btConstraintInfo2& info) const;

  JointFrame frame_;
  JointPart part_;
  const JointMotor& motor_;
  btJointFeedback feedback_;
  double warm_ = 0.0;         // impulse the step began with, of a rotation
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
