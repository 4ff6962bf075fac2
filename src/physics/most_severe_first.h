// The loop of algorithm 1 (Lovrović 2015) and what its two passes, of places and of velocities,
// share. For the sources of this folder.
#pragma once

#include "physics/severity_solver.h"

#include <functional>

namespace sinew {

struct Severities {
  std::function<double(const SolverJoint&)> joint;
  std::function<double(const SolverContact&)> contact;
};
struct Resolvers {
  std::function<void(const SolverJoint&)> joint;
  std::function<void(const SolverContact&)> contact;
};

// Lines 3 to 12: resolves the most severe joint or contact, and finds the severities of those that
// share a body with it anew, until nothing is above the tolerance.
SeverityResult mostSevereFirst(std::span<const SolverJoint> joints,
                               std::span<const SolverContact> contacts, const Severities& severity,
                               const Resolvers& resolve, int iterations, double tolerance);

// What stands still, in place of a body.
inline RigidBody& bodyOr(std::span<RigidBody> bodies, std::uint32_t index, RigidBody& still) {
  return index == kNoNode ? still : bodies[index];
}

glm::dvec3 inverseInertiaTimes(const RigidBody& body, const glm::dvec3& v);

// How much an impulse along a unit direction at `arm` moves the point there.
double givesWay(const RigidBody& body, const glm::dvec3& arm, const glm::dvec3& direction);

// The impulse on the parent, and its opposite on the child, that changes how far (or how fast) the
// child's point is apart from the parent's by -apart.
glm::dvec3 impulseFor(const RigidBody& parent, const glm::dvec3& parentArm, const RigidBody& child,
                      const glm::dvec3& childArm, const glm::dvec3& apart);

// The turning impulse on the child, and its opposite on the parent, that turns the child by `turn`
// against the parent.
glm::dvec3 turningImpulseFor(const RigidBody& parent, const RigidBody& child,
                             const glm::dvec3& turn);

// How deep the two surfaces of a contact are in one another; negative: apart.
double depthOf(std::span<const RigidBody> bodies, const SolverContact& contact);

} // namespace sinew
