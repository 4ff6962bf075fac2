#include "physics/severity_solver.h"

#include "physics/most_severe_first.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

void turnBody(RigidBody& body, const glm::dvec3& vector) {
  body.place.rotation = glm::normalize(rotationOf(vector) * body.place.rotation);
}

void pushBody(RigidBody& body, const glm::dvec3& arm, const glm::dvec3& impulse) {
  body.place.position += body.inverseMass * impulse;
  turnBody(body, inverseInertiaTimes(body, glm::cross(arm, impulse)));
}

void resolvePosition(RigidBody& parent, RigidBody& child, const JointFrame& frame) {
  const glm::dvec3 parentArm = parent.place.rotation * frame.anchorParent;
  const glm::dvec3 childArm = child.place.rotation * frame.anchorChild;
  const glm::dvec3 apart = child.place.position + childArm - parent.place.position - parentArm;
  const glm::dvec3 impulse = impulseFor(parent, parentArm, child, childArm, apart);
  pushBody(parent, parentArm, impulse);
  pushBody(child, childArm, -impulse);
}

void resolveAngles(RigidBody& parent, RigidBody& child, const JointFrame& frame) {
  const glm::dquat wanted = allowedRotation(frame, parent.place.rotation, child.place.rotation);
  const glm::dvec3 turn = rotationVector(wanted * glm::conjugate(child.place.rotation));
  const glm::dvec3 impulse = turningImpulseFor(parent, child, turn);
  turnBody(child, inverseInertiaTimes(child, impulse));
  turnBody(parent, -inverseInertiaTimes(parent, impulse));
}

double severityOf(std::span<const RigidBody> bodies, const SolverJoint& joint) {
  const RigidBody& parent = bodies[joint.parent];
  const RigidBody& child = bodies[joint.child];
  // Between two that stand fast nothing can be done, so nothing is severe.
  if (!(parent.inverseMass + child.inverseMass > 0.0)) return 0.0;
  return severity(jointErrors(joint.frame, parent.place, child.place), joint.frame,
                  parentShare(parent, child));
}

// Beyond the depth that is allowed, metres.
double severityOf(std::span<const RigidBody> bodies, const SolverContact& contact) {
  return std::max(depthOf(bodies, contact) - contact.allowed, 0.0);
}

void resolve(std::span<RigidBody> bodies, const SolverContact& contact) {
  RigidBody still;
  RigidBody& a = bodyOr(bodies, contact.a, still);
  RigidBody& b = bodyOr(bodies, contact.b, still);
  const glm::dvec3 armA = a.place.rotation * contact.pointA;
  const glm::dvec3 armB = b.place.rotation * contact.pointB;
  const double gives = givesWay(a, armA, contact.normal) + givesWay(b, armB, contact.normal);
  if (!(gives > 0.0)) return;
  const glm::dvec3 impulse = severityOf(bodies, contact) / gives * contact.normal;
  pushBody(a, armA, impulse);
  pushBody(b, armB, -impulse);
}

} // namespace

double parentShare(const RigidBody& parent, const RigidBody& child) {
  const auto gives = [](const RigidBody& body) {
    return body.inverseInertia.x + body.inverseInertia.y + body.inverseInertia.z;
  };
  const double sum = gives(parent) + gives(child);
  return sum > 0.0 ? gives(parent) / sum : 0.5;
}

double kineticEnergy(const RigidBody& body) {
  if (!(body.inverseMass > 0.0)) return 0.0;
  const glm::dvec3 spin = glm::conjugate(body.place.rotation) * body.spin;
  return 0.5 * glm::dot(body.velocity, body.velocity) / body.inverseMass +
         0.5 * glm::dot(spin, spin / body.inverseInertia);
}

SeverityResult resolveSeverity(std::span<RigidBody> bodies, std::span<const SolverJoint> joints,
                               std::span<const SolverContact> contacts,
                               const SeverityOptions& options) {
  const auto jointSeverity = [&](const SolverJoint& joint) { return severityOf(bodies, joint); };
  const auto contactSeverity = [&](const SolverContact& contact) {
    return severityOf(bodies, contact);
  };
  const auto resolveJoint = [&](const SolverJoint& joint) {
    resolveAngles(bodies[joint.parent], bodies[joint.child], joint.frame);
    resolvePosition(bodies[joint.parent], bodies[joint.child], joint.frame);
  };
  const auto resolveContact = [&](const SolverContact& contact) { resolve(bodies, contact); };
  return mostSevereFirst(joints, contacts, {jointSeverity, contactSeverity},
                         {resolveJoint, resolveContact}, options.iterations, options.tolerance);
}

} // namespace sinew
