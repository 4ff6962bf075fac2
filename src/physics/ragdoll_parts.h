// What Ragdoll hides, for the sources of this folder.
#pragma once

#include "physics/body_binding.h"
#include "physics/ragdoll.h"
#include "physics/severity_solver.h"
#include "physics/world_parts.h"

namespace sinew {

// How a body has moved of late, and for how long next to nothing has come of it.
struct Calm {
  glm::dvec3 velocity{0.0};
  glm::dvec3 spin{0.0};
  double seconds = 0.0;
};

struct Ragdoll::Parts {
  Parts(PhysicsWorld& into, const Model& model, RagdollConfig with, const RagdollPlacement& where);
  ~Parts();
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  PhysicsWorld::Parts& world;
  PhysicsOptions options;
  RagdollConfig config;
  RagdollPlacement placement;
  Hierarchy hierarchy;
  std::vector<BodyBinding> bindings;
  double metresPerUnit = 1.0;
  double height = 1.0;
  double mass = 0.0;
  int ownerIndex = 0; // tells its bodies from others'

  std::vector<std::unique_ptr<WorldBody>> bodies;
  std::vector<glm::dvec3> inertia; // principal
  std::vector<SolverJoint> joints;
  std::vector<std::unique_ptr<BulletJoint>> constraints;
  // Per joint the torque that holds what is below it out level, and with it the drive's most.
  std::vector<double> holdingTorque;
  std::vector<double> driveTorque;

  // Since start():
  std::vector<char> falls;         // per body; the others follow the animation
  std::vector<BodyPlace> previous; // of the step before
  Pose base;                       // for nodes without a body
  std::vector<BodyPlace> residual; // from the body to where the animation had it
  std::vector<mat4> stretch;       // what the animation stretched of a bone, bind space
  std::vector<std::pair<std::size_t, std::size_t>> entangled; // do not touch until they are apart
  std::vector<Calm> calm;                                     // per body
  double sinceStart = 0.0;
  double powered = 0.0;
  std::unique_ptr<btPoint2PointConstraint> dragged;
  glm::dvec3 dragTarget{0.0};
  std::size_t draggedBody = 0;

  // ragdoll_parts.cpp
  void addBodies(const RagdollConfig& with);
  std::uint32_t indexOf(const std::string& bone) const;
  double parentInertia(std::size_t body) const;
  void addJoints();
  bool overlap(std::size_t a, std::size_t b) const;
  void letTouch(std::size_t a, std::size_t b, bool on);
  void ignoreNeighbours();
  void findTorques();
  void before(double seconds);
  void pull();
  void findCalm(double seconds);
  void after(double seconds);
  std::vector<SolverContact> contacts() const;
  BodyPlace worldPlace(const BodyPlace& model) const;
  BodyPlace modelPlace(const BodyPlace& world) const;
  double lowestPoint(std::size_t body, const BodyPlace& place) const;
  RigidBody rigidBody(std::size_t body) const;

  // ragdoll_switch.cpp
  RagdollSwitch start(const Pose& before, const Pose& now, double seconds,
                      const RagdollStart& options);
  void chooseFalling(const std::string& partial);
  std::vector<BodyPlace> animatedPlaces(const Pose& pose) const;
  std::vector<BodyPlace> joined(std::vector<BodyPlace> places) const;
  double animationEnergy(const std::vector<BodyPlace>& before, const std::vector<BodyPlace>& now,
                         double seconds) const;
  void keepResiduals(const Pose& now, const std::vector<BodyPlace>& animated,
                     const std::vector<BodyPlace>& placed);
  std::vector<RigidBody> jointedMovement(const std::vector<BodyPlace>& before,
                                         const std::vector<BodyPlace>& now,
                                         const std::vector<BodyPlace>& placed,
                                         double seconds) const;
  void enterWorld(const std::vector<RigidBody>& rigid);
  void findEntangled();
  void disentangle();
  double energy() const;
  double keepEnergy(double animated);
  void follow(const Pose& animated);
  void carryAlong(const std::vector<BodyPlace>& animated);
  void drive(const std::vector<BodyPlace>& animated);
};

} // namespace sinew
