// The paper's own joint solver (Lovrović 2015, algorithm 1): again and again the joint with the
// greatest severity is resolved and the severities of its neighbours found anew. A pass over bodies
// that an engine has just moved, first of their places, then, in the same way, of their velocities
// (as the engine it was made for does both: Millington, Game Physics Engine Development, 2007).
// Plain data, no engine.
#pragma once

#include "physics/joint_math.h"

#include <cstdint>
#include <span>

namespace sinew {

// Metres, kilograms, seconds. A body with inverse mass 0 is not moved.
struct RigidBody {
  BodyPlace place;
  glm::dvec3 velocity{0.0};
  glm::dvec3 spin{0.0}; // world, radians a second
  double inverseMass = 0.0;
  glm::dvec3 inverseInertia{0.0}; // principal, in the body's space
};

struct SolverJoint {
  JointFrame frame;
  std::uint32_t parent = 0; // indices of bodies
  std::uint32_t child = 0;
};

// Two surfaces that touch, found by the engine: their depth is a severity like any other, as the
// paper has it (section 2).
struct SolverContact {
  std::uint32_t a = kNoNode; // indices of bodies; kNoNode: something that stands still
  std::uint32_t b = kNoNode;
  glm::dvec3 pointA{0.0}; // in the body's space, or the world's
  glm::dvec3 pointB{0.0};
  glm::dvec3 normal{0.0, 1.0, 0.0}; // world, from b to a, unit
  double allowed = 0.0;             // depth that is left as it is, metres
};

struct SeverityOptions {
  int iterations = 600;         // at most of each pass: how often a joint or contact is resolved
  double tolerance = 2e-5;      // metres: no joint is more severe than this when it ends early
  double speedTolerance = 1e-3; // metres a second, the same of velocities
};

struct SeverityResult {
  int iterations = 0;
  double largest = 0.0; // severity that is left, metres
};

// By how much each of two bodies turns of an angle between them: the parent's part, in [0, 1].
double parentShare(const RigidBody& parent, const RigidBody& child);

// Moves the bodies. Translations are shared by mass and turns by inertia; contacts only push.
SeverityResult resolveSeverity(std::span<RigidBody> bodies, std::span<const SolverJoint> joints,
                               std::span<const SolverContact> contacts,
                               const SeverityOptions& options);

// Takes from the velocities what would part the anchors, turn against a hinge, go further at a
// limit or into what is touched, by impulses at the joints: they can only take energy away.
// Contacts rub with `friction`. Severity here is a speed, metres a second.
SeverityResult resolveVelocities(std::span<RigidBody> bodies, std::span<const SolverJoint> joints,
                                 std::span<const SolverContact> contacts, double friction,
                                 const SeverityOptions& options);

double kineticEnergy(const RigidBody& body); // joules

} // namespace sinew
