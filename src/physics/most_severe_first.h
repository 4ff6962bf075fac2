// The loop of algorithm 1 (Lovrović 2015), and what its passes over positions and over velocities
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

// Lines 3 to 12: resolves the most severe joint or contact, and recomputes the severities of those
// that share a body with it, until nothing is above the tolerance.
SeverityResult mostSevereFirst(std::span<const SolverJoint> joints,
                               std::span<const SolverContact> contacts, const Severities& severity,
                               const Resolvers& resolve, int iterations, double tolerance);

// A body, or `still` where there is none.
inline RigidBody& bodyOr(std::span<RigidBody> bodies, std::uint32_t index, RigidBody& still) {
  return index == kNoNode ? still : bodies[index];
}

glm::dvec3 inverseInertiaTimes(const RigidBody& body, const glm::dvec3& v);

// How much an impulse along a unit direction at `arm` moves the point there.
double givesWay(const RigidBody& body, const glm::dvec3& arm, const glm::dvec3& direction);

// The impulse on the parent, and its opposite on the child, that changes the offset (or the
// relative velocity) of the child's point from the parent's by -apart.
glm::dvec3 impulseFor(const RigidBody& parent, const glm::dvec3& parentArm, const RigidBody& child,
                      const glm::dvec3& childArm, const glm::dvec3& apart);

// The angular impulse on the child, and its opposite on the parent, that rotates the child by the
// rotation vector `rotation` relative to the parent.
glm::dvec3 angularImpulseFor(const RigidBody& parent, const RigidBody& child,
                             const glm::dvec3& rotation);

// How deep the two surfaces of a contact are in one another; negative: apart.
double measureDepth(std::span<const RigidBody> bodies, const SolverContact& contact);

} // namespace sinew
