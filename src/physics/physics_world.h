// The world ragdolls fall in: ground, walls, balls, and a fixed time step. Bullet behind a pointer.
//
// Metres, kilograms, seconds; Y up, the ground at height 0. The same calls in the same order give
// the same numbers to the bit on one machine.
#pragma once

#include "physics/joint_math.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace sinew {

enum class JointSolver {
  bullet,   // rows in Bullet's own constraint solver
  severity, // the paper's algorithm 1, a position pass after Bullet's step
  reduced,  // Bullet's reduced coordinates (Featherstone): joints have no error to solve
};

inline constexpr std::array kJointSolvers{JointSolver::bullet, JointSolver::severity,
                                          JointSolver::reduced};
inline constexpr JointSolver kDefaultSolver = JointSolver::reduced;
const char* toString(JointSolver solver); // as on the command line

struct PhysicsOptions {
  JointSolver solver = JointSolver::bullet;
  double stepsPerSecond = 480.0;
  int iterations = 100; // per step, in Bullet's solver
  double gravity = 9.81;
  bool ground = true;
  // Threads that solve what does not touch, for JointSolver::reduced; 0: one per core. The results
  // are the same, bit for bit.
  std::size_t threads = 1;
};

// What a solver is meant to run with.
PhysicsOptions physicsWith(JointSolver solver);

struct WorldParts;   // physics/world_parts.h
struct RagdollParts; // physics/ragdoll_parts.h

class PhysicsWorld {
 public:
  explicit PhysicsWorld(const PhysicsOptions& options);
  ~PhysicsWorld();
  PhysicsWorld(PhysicsWorld&&) noexcept;
  PhysicsWorld& operator=(PhysicsWorld&&) noexcept;

  const PhysicsOptions& options() const { return options_; }
  double stepSeconds() const { return 1.0 / options_.stepsPerSecond; }

  // A half-space that bodies cannot enter: all points with dot(normal, x) < distance.
  void addWall(const glm::dvec3& normal, double distance);

  // Returns its number. restitution: the fraction of its speed, 0 to 1, with which it leaves the
  // ground or a wall.
  std::size_t addBall(double radius, double mass, const glm::dvec3& position,
                      const glm::dvec3& velocity, double restitution = 0.3);
  RigidTransform ball(std::size_t index) const;
  glm::dvec3 ballVelocity(std::size_t index) const;
  double ballRadius(std::size_t index) const;
  std::size_t ballCount() const;

  // One fixed step of everything in it.
  void step();

 private:
  friend struct RagdollParts;

  PhysicsOptions options_;
  std::unique_ptr<WorldParts> parts_;
};

// Turns the uneven time of frames into fixed steps.
struct StepClock {
  double left = 0.0; // time that no step has used yet

  // How many steps fit; after `max` the rest of the time is discarded, so that a slow frame is not
  // followed by slower ones.
  int stepsFor(double seconds, double stepSeconds, int max = 60);
  double fraction(double stepSeconds) const { return left / stepSeconds; } // for interpolation
};

} // namespace sinew
