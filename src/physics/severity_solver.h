// The paper's joint solver (Lovrović 2015, algorithm 1): repeatedly resolves the joint with the
// greatest severity and recomputes the severities of its neighbours. It runs after the engine's
// step, first on positions, then in the same way on velocities, as does the engine for which it was
// designed (Millington, Game Physics Engine Development, 2007). It uses plain data and no engine.
#pragma once

#include "physics/joint_math.h"

#include <cstdint>
#include <span>

namespace sinew {

// Metres, kilograms, seconds. A body with inverse mass 0 is not moved.
struct RigidBody {
  RigidTransform transform;
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

// Two surfaces that touch, found by the engine: their depth is a severity, as in the
// paper's section 2.
struct SolverContact {
  std::uint32_t a = kNoNode; // indices of bodies; kNoNode: static geometry
  std::uint32_t b = kNoNode;
  glm::dvec3 pointA{0.0}; // in the body's space, or the world's
  glm::dvec3 pointB{0.0};
  glm::dvec3 normal{0.0, 1.0, 0.0}; // world, from b to a, unit
  double allowed = 0.0;             // depth that is not corrected, metres
};

struct SeverityOptions {
  int iterations = 600;         // per pass, at most: how often a joint or contact is resolved
  double tolerance = 2e-5;      // metres: no joint is more severe than this when it ends early
  double speedTolerance = 1e-3; // metres a second, the same for velocities
};

struct SeverityResult {
  int iterations = 0;
  double largest = 0.0; // remaining severity, metres
};

// The fraction of an angle between two bodies by which the parent rotates, in [0, 1].
double parentFraction(const RigidBody& parent, const RigidBody& child);

// Moves the bodies. Translations are divided by mass and rotations by inertia; contacts only push.
SeverityResult resolveSeverity(std::span<RigidBody> bodies, std::span<const SolverJoint> joints,
                               std::span<const SolverContact> contacts,
                               const SeverityOptions& options);

// Applies impulses that remove the velocities that would separate anchors, rotate a hinge about
// another axis, exceed a limit or penetrate a contact. They can only reduce the energy. Contacts
// have friction with the coefficient `friction`, those of two bodies far less (kLimbFriction).
// Severity here is a speed in metres per second.
SeverityResult resolveVelocities(std::span<RigidBody> bodies, std::span<const SolverJoint> joints,
                                 std::span<const SolverContact> contacts, double friction,
                                 const SeverityOptions& options);

double kineticEnergy(const RigidBody& body); // joules

// Damping of joints by the relative velocity of their bodies, which Lovrović 2015 (section 4) names
// as the next feature: it stands for what resists in a body, friction and muscle. At every joint,
// one after another, the child's spin relative to the parent's loses the fraction `lost`, 0 to 1,
// about its own axis, by equal and opposite angular impulses: angular momentum stays, and the
// kinetic energy never grows.
void dampJoints(std::span<RigidBody> bodies, std::span<const SolverJoint> joints, double lost);

// The fraction lost in `seconds` of what loses the fraction `perSecond` in a second.
double lostWithin(double perSecond, double seconds);

} // namespace sinew
