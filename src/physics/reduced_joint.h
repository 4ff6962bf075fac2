// The limits and the motor of a joint in reduced coordinates, as rows for ReducedSolver.
#pragma once

#include "physics/bullet.h"
#include "physics/joint_rows.h"

#include <array>
#include <memory>
#include <optional>
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

// Bounds the joint's relative spin, by its own coordinates: about a hinge's axis, else in the
// child's space.
struct JointRow {
  std::array<double, 3> along{};
  double speed = 0.0; // to reach, by an impulse from low to high
  double low = 0.0;
  double high = 0.0;
  double* impulse = nullptr; // the last step's, and then this one's
};

class ReducedJoint {
 public:
  ReducedJoint(btMultiBody& tree, int link, const JointFrame& frame, const JointMotor& motor);

  int link() const { return link_; }
  bool isHinge() const { return frame_.type == RagdollJointType::hinge; }

  // Appends those of a step. spin: the relative one, in the coordinates of JointRow::along.
  void addRows(double seconds, const std::array<double, 3>& spin, std::vector<JointRow>& rows);

  // Moves the tree so that the joint is within its limits, but for `tolerance` radians.
  void moveIntoLimits(double tolerance, ReducedScratch& scratch);
  bool isBeyond(double tolerance) const;

 private:
  static constexpr int kRows = 5; // two limits, then up to three of the motor

  glm::dquat childRotation() const;
  std::array<JointPart, 2> limits() const;
  std::array<double, 3> along(const glm::dvec3& axis, const glm::dquat& child) const;

  btMultiBody& tree_;
  int link_;
  const JointFrame& frame_;
  const JointMotor& motor_;
  std::array<double, kRows> impulses_{};
  std::vector<btScalar> jacobian_; // the current row, for all coordinates of the tree
};

// Pulls a link's point to a target, by a bounded impulse.
struct ReducedDrag {
  int link = -1;
  btVector3 point{0.0, 0.0, 0.0}; // in the link's space
  btVector3 target{0.0, 0.0, 0.0};
  double largest = 0.0; // impulse of a step, along each axis
};

// What belongs to a tree, which its btMultiBody points to.
struct ReducedForces {
  std::vector<btRigidBody*> bodies; // the root's, if it falls, and each link's; with their momenta
  std::vector<std::unique_ptr<ReducedJoint>> joints; // in the order of the links
  std::optional<ReducedDrag> drag;
};

} // namespace sinew
