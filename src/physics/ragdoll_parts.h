// What a Ragdoll is made of: bodies and joints in Bullet, and what they need before and after each
// step. For the sources of this folder.
#pragma once

#include "animation/pose.h"
#include "physics/joint_math.h"
#include "physics/ragdoll.h"
#include "physics/reduced_bodies.h"
#include "physics/severity_solver.h"
#include "physics/world_parts.h"

#include <glm/vec3.hpp>

namespace sinew {

struct RagdollParts;

// What falls does not stand. A limp figure that is exactly in balance, or that its legs prop up, is
// pushed over: where all of it has been still with its centre of mass high, each body gets a small
// acceleration across the narrow side of what it stands on, first the way it leans already.
class Topple {
 public:
  // Before a step. Only what falls as a whole, without a drive and not dragged, is pushed; a few
  // times, then it rests as it is.
  void push(RagdollParts& ragdoll, double seconds);

 private:
  int pushes_ = 0;
  double left_ = 0.0; // seconds of the push under way
  glm::dvec3 along_{0.0};
};

// The recent mean velocities of a body, and for how long they have been negligible.
struct SleepState {
  glm::dvec3 velocity{0.0};
  glm::dvec3 spin{0.0};
  double seconds = 0.0;
};

struct RagdollParts {
  RagdollParts(PhysicsWorld& into, const Model& model, RagdollConfig with,
               const RagdollPlacement& where);
  ~RagdollParts();
  RagdollParts(const RagdollParts&) = delete;
  RagdollParts& operator=(const RagdollParts&) = delete;

  WorldParts& world;
  PhysicsOptions options;
  RagdollConfig config;
  RagdollPlacement placement;
  Hierarchy hierarchy;
  std::vector<BodyBinding> bindings;
  double metresPerUnit = 1.0;
  double height = 1.0;
  double mass = 0.0;
  int ownerIndex = 0; // identifies its bodies in the world

  std::vector<std::unique_ptr<WorldBody>> bodies;
  std::vector<glm::dvec3> inertia; // principal
  std::vector<SolverJoint> joints;
  std::vector<std::unique_ptr<BulletJoint>> constraints;
  // Per joint: the torque that holds the limb below it horizontally, and the drive's maximum.
  std::vector<double> holdingTorque;
  std::vector<double> driveTorque;

  // Since start():
  std::vector<char> falls;              // per body; the others follow the animation
  std::vector<RigidTransform> previous; // transforms before the last step
  Pose base;                            // for nodes without a body
  std::vector<RigidTransform> residual; // from the body to its animated transform
  std::vector<mat4> stretch;            // the animation's stretch of a bone, bind space
  std::vector<std::pair<std::size_t, std::size_t>>
      initiallyOverlapping;            // no collision until they are separate
  std::vector<SleepState> sleepStates; // per body
  double sinceStart = 0.0;
  double motorStrength = 0.0;
  Topple topple;
  std::unique_ptr<btPoint2PointConstraint> dragged;
  glm::dvec3 dragTarget{0.0};
  std::size_t draggedBody = 0;
  std::unique_ptr<ReducedBodies> reduced; // with JointSolver::reduced: what falls, in the world

  void addBodies(const RagdollConfig& with);
  std::uint32_t findIndex(const std::string& bone) const;
  double parentInertia(std::size_t body) const;
  void addJoints();
  void enterReduced();
  bool overlap(std::size_t a, std::size_t b) const;
  void setCollision(std::size_t a, std::size_t b, bool on);
  void ignoreNeighbours();
  void findTorques();
  void before(double seconds);
  void dampRelativeSpins(double seconds);
  void pullDragged();
  void separateOverlapping();
  void updateSleep(double seconds);
  void after(double seconds);
  std::vector<SolverContact> contacts() const;
  RigidTransform worldTransform(const RigidTransform& model) const;
  RigidTransform modelTransform(const RigidTransform& world) const;
  double lowestPoint(std::size_t body, const RigidTransform& transform) const;
  RigidBody rigidBody(std::size_t body) const;
  double kineticEnergyOfAll() const;
};

// Ragdoll::start().
RagdollSwitch switchToRagdoll(RagdollParts& parts, const Pose& before, const Pose& now,
                              double seconds, const RagdollStart& options);

// Ragdoll::follow().
void followAnimation(RagdollParts& parts, const Pose& animated);

} // namespace sinew
