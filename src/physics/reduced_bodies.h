// The falling bodies of a ragdoll in Bullet's reduced coordinates (btMultiBody, Featherstone's
// articulated bodies): a tree of links whose state is the root's motion and the joints' angles, so
// that anchors and hinges' axes have no error. Limits, drives and contacts are rows of its solver.
//
// The ragdoll's rigid bodies stay outside the world and hold what the links do: after a step they
// have the links' transforms and momenta, which enter the tree in the next one as the nearest
// motion, by mass, that the joints allow (ReducedTree::carry); so does what is changed in them
// between (a blow, a damped spin, a jump).
#pragma once

#include "physics/bullet.h"
#include "physics/severity_solver.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace sinew {

struct RagdollParts;

class ReducedBodies {
 public:
  // From the rigid bodies of the ragdoll that fall. Those that do not are what a tree hangs on.
  explicit ReducedBodies(RagdollParts& ragdoll);
  ~ReducedBodies();
  ReducedBodies(const ReducedBodies&) = delete;
  ReducedBodies& operator=(const ReducedBodies&) = delete;

  void before(double seconds);
  void after();

  // As the constraint of a rigid body would: its point and its largest impulse.
  void drag(std::size_t body, const btPoint2PointConstraint& as);
  void dragTo(const btVector3& target);
  void release();

 private:
  struct Tree;
  void addTree(std::size_t base, std::size_t firstJoint);
  void addLink(Tree& tree, std::size_t joint);
  void addCollider(Tree& tree, int link);
  void takePose(Tree& tree);
  void followBase(Tree& tree, double seconds);
  void storePose(Tree& tree);
  double measureDepth(Tree& tree, const SolverContact& contact,
                      std::vector<btScalar>* jacobian) const;
  void movePose(Tree& tree, const std::vector<SolverContact>& contacts);
  void damp(Tree& tree, double seconds);
  void updateActivation(Tree& tree);

  RagdollParts& ragdoll_;
  std::vector<std::unique_ptr<Tree>> trees_;
  std::vector<btTransform> left_; // per body, as after() left it
};

} // namespace sinew
