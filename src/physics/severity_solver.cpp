#include "physics/severity_solver.h"

#include "physics/most_severe_first.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double kAtLimit = 1e-3;  // radians short of a limit that count as there
constexpr double kTouching = 2e-4; // metres apart that count as touching

// ---- Positions

void rotateBody(RigidBody& body, const glm::dvec3& vector) {
  body.transform.rotation = glm::normalize(toRotation(vector) * body.transform.rotation);
}

void pushBody(RigidBody& body, const glm::dvec3& arm, const glm::dvec3& impulse) {
  body.transform.position += body.inverseMass * impulse;
  rotateBody(body, inverseInertiaTimes(body, glm::cross(arm, impulse)));
}

void resolvePosition(RigidBody& parent, RigidBody& child, const JointFrame& frame) {
  const glm::dvec3 parentArm = parent.transform.rotation * frame.anchorParent;
  const glm::dvec3 childArm = child.transform.rotation * frame.anchorChild;
  const glm::dvec3 apart =
      child.transform.position + childArm - parent.transform.position - parentArm;
  const glm::dvec3 impulse = impulseFor(parent, parentArm, child, childArm, apart);
  pushBody(parent, parentArm, impulse);
  pushBody(child, childArm, -impulse);
}

void resolveAngles(RigidBody& parent, RigidBody& child, const JointFrame& frame) {
  const glm::dquat wanted =
      allowedRotation(frame, parent.transform.rotation, child.transform.rotation);
  const glm::dvec3 rotation = rotationVector(wanted * glm::conjugate(child.transform.rotation));
  const glm::dvec3 impulse = angularImpulseFor(parent, child, rotation);
  rotateBody(child, inverseInertiaTimes(child, impulse));
  rotateBody(parent, -inverseInertiaTimes(parent, impulse));
}

double computeSeverity(std::span<const RigidBody> bodies, const SolverJoint& joint) {
  const RigidBody& parent = bodies[joint.parent];
  const RigidBody& child = bodies[joint.child];
  // Two fixed bodies cannot be moved, so nothing is severe.
  if (!(parent.inverseMass + child.inverseMass > 0.0)) return 0.0;
  return severity(jointErrors(joint.frame, parent.transform, child.transform), joint.frame,
                  parentFraction(parent, child));
}

// Beyond the depth that is allowed, metres.
double computeSeverity(std::span<const RigidBody> bodies, const SolverContact& contact) {
  return std::max(measureDepth(bodies, contact) - contact.allowed, 0.0);
}

void resolve(std::span<RigidBody> bodies, const SolverContact& contact) {
  RigidBody still;
  RigidBody& a = bodyOr(bodies, contact.a, still);
  RigidBody& b = bodyOr(bodies, contact.b, still);
  const glm::dvec3 armA = a.transform.rotation * contact.pointA;
  const glm::dvec3 armB = b.transform.rotation * contact.pointB;
  const double gives = givesWay(a, armA, contact.normal) + givesWay(b, armB, contact.normal);
  if (!(gives > 0.0)) return;
  const glm::dvec3 impulse = computeSeverity(bodies, contact) / gives * contact.normal;
  pushBody(a, armA, impulse);
  pushBody(b, armB, -impulse);
}

// ---- Velocities

void hit(RigidBody& body, const glm::dvec3& arm, const glm::dvec3& impulse) {
  body.velocity += body.inverseMass * impulse;
  body.spin += inverseInertiaTimes(body, glm::cross(arm, impulse));
}

glm::dvec3 pointVelocity(const RigidBody& body, const glm::dvec3& arm) {
  return body.velocity + glm::cross(body.spin, arm);
}

// Adds the part of the child's spin relative to the parent's that exceeds a limit about `axis`.
void addOutward(const glm::dvec3& axis, double left, const glm::dvec3& spin, glm::dvec3& wrong) {
  if (left > kAtLimit) return;
  const double speed = glm::dot(axis, spin);
  if (speed > 0.0) wrong += speed / glm::dot(axis, axis) * axis;
}

// The part of the child's spin relative to the parent's that the joint does not allow.
glm::dvec3 wrongSpin(const JointFrame& frame, const RigidBody& parent, const RigidBody& child) {
  const glm::dvec3 spin = child.spin - parent.spin;
  const glm::dvec3 axis = parent.transform.rotation * frame.axisParent;
  const JointAngles angles =
      jointAngles(frame, parent.transform.rotation, child.transform.rotation);
  if (frame.type == RagdollJointType::hinge) {
    glm::dvec3 wrong = spin - glm::dot(axis, spin) * axis;
    addOutward(axis, frame.front - angles.hinge, spin, wrong);
    addOutward(-axis, angles.hinge - frame.back, spin, wrong);
    return wrong;
  }
  glm::dvec3 wrong(0.0);
  const glm::dvec3 direction = child.transform.rotation * frame.direction;
  const glm::dvec3 across = glm::cross(axis, direction);
  if (glm::length(across) > 1e-6) addOutward(across, frame.bend - angles.bend, spin, wrong);
  const double side = angles.twist < 0.0 ? -1.0 : 1.0;
  const glm::dvec3 middle = side * (axis + direction);
  if (glm::length(middle) > 1e-3)
    addOutward(middle, frame.rotation - std::abs(angles.twist), spin, wrong);
  return wrong;
}

struct Pass {
  std::span<RigidBody> bodies;
  double friction;

  glm::dvec3 anchorSpeed(const SolverJoint& joint) const {
    const RigidBody& parent = bodies[joint.parent];
    const RigidBody& child = bodies[joint.child];
    return pointVelocity(child, child.transform.rotation * joint.frame.anchorChild) -
           pointVelocity(parent, parent.transform.rotation * joint.frame.anchorParent);
  }

  double severity(const SolverJoint& joint) const {
    const RigidBody& parent = bodies[joint.parent];
    const RigidBody& child = bodies[joint.child];
    if (!(parent.inverseMass + child.inverseMass > 0.0)) return 0.0;
    const double fraction = parentFraction(parent, child);
    const double radius =
        fraction * joint.frame.radiusParent + (1.0 - fraction) * joint.frame.radiusChild;
    return glm::length(anchorSpeed(joint)) +
           radius * glm::length(wrongSpin(joint.frame, parent, child));
  }

  void resolve(const SolverJoint& joint) const {
    RigidBody& parent = bodies[joint.parent];
    RigidBody& child = bodies[joint.child];
    const glm::dvec3 angularImpulse =
        angularImpulseFor(parent, child, -wrongSpin(joint.frame, parent, child));
    child.spin += inverseInertiaTimes(child, angularImpulse);
    parent.spin -= inverseInertiaTimes(parent, angularImpulse);
    const glm::dvec3 parentArm = parent.transform.rotation * joint.frame.anchorParent;
    const glm::dvec3 childArm = child.transform.rotation * joint.frame.anchorChild;
    const glm::dvec3 impulse = impulseFor(parent, parentArm, child, childArm, anchorSpeed(joint));
    hit(parent, parentArm, impulse);
    hit(child, childArm, -impulse);
  }

  // How fast a comes towards b, and what it slides.
  glm::dvec3 contactSpeed(const SolverContact& contact) const {
    glm::dvec3 speed(0.0);
    if (contact.a != kNoNode)
      speed +=
          pointVelocity(bodies[contact.a], bodies[contact.a].transform.rotation * contact.pointA);
    if (contact.b != kNoNode)
      speed -=
          pointVelocity(bodies[contact.b], bodies[contact.b].transform.rotation * contact.pointB);
    return speed;
  }

  double computeFriction(const SolverContact& contact) const {
    const bool ofLimbs = contact.a != kNoNode && contact.b != kNoNode;
    return ofLimbs ? kLimbFriction * friction * kLimbFriction * friction : friction;
  }

  double severity(const SolverContact& contact) const {
    if (measureDepth(bodies, contact) < -kTouching) return 0.0;
    return std::max(-glm::dot(contactSpeed(contact), contact.normal), 0.0);
  }

  void resolve(const SolverContact& contact) const {
    RigidBody still;
    RigidBody& a = bodyOr(bodies, contact.a, still);
    RigidBody& b = bodyOr(bodies, contact.b, still);
    const glm::dvec3 armA = a.transform.rotation * contact.pointA;
    const glm::dvec3 armB = b.transform.rotation * contact.pointB;
    const auto gives = [&](const glm::dvec3& along) {
      return givesWay(a, armA, along) + givesWay(b, armB, along);
    };
    if (!(gives(contact.normal) > 0.0)) return;
    const double pressed = severity(contact) / gives(contact.normal);
    hit(a, armA, pressed * contact.normal);
    hit(b, armB, -pressed * contact.normal);
    const glm::dvec3 speed = contactSpeed(contact);
    const glm::dvec3 slides = speed - glm::dot(speed, contact.normal) * contact.normal;
    const double fast = glm::length(slides);
    if (fast < 1e-9) return;
    const glm::dvec3 along = slides / fast;
    const double rubs = std::min(fast / gives(along), computeFriction(contact) * pressed);
    hit(a, armA, -rubs * along);
    hit(b, armB, rubs * along);
  }
};

} // namespace

double parentFraction(const RigidBody& parent, const RigidBody& child) {
  const auto gives = [](const RigidBody& body) {
    return body.inverseInertia.x + body.inverseInertia.y + body.inverseInertia.z;
  };
  const double sum = gives(parent) + gives(child);
  return sum > 0.0 ? gives(parent) / sum : 0.5;
}

double kineticEnergy(const RigidBody& body) {
  if (!(body.inverseMass > 0.0)) return 0.0;
  const glm::dvec3 spin = glm::conjugate(body.transform.rotation) * body.spin;
  return 0.5 * glm::dot(body.velocity, body.velocity) / body.inverseMass +
         0.5 * glm::dot(spin, spin / body.inverseInertia);
}

SeverityResult resolveSeverity(std::span<RigidBody> bodies, std::span<const SolverJoint> joints,
                               std::span<const SolverContact> contacts,
                               const SeverityOptions& options) {
  const auto jointSeverity = [&](const SolverJoint& joint) {
    return computeSeverity(bodies, joint);
  };
  const auto contactSeverity = [&](const SolverContact& contact) {
    return computeSeverity(bodies, contact);
  };
  const auto resolveJoint = [&](const SolverJoint& joint) {
    resolveAngles(bodies[joint.parent], bodies[joint.child], joint.frame);
    resolvePosition(bodies[joint.parent], bodies[joint.child], joint.frame);
  };
  const auto resolveContact = [&](const SolverContact& contact) { resolve(bodies, contact); };
  return mostSevereFirst(joints, contacts, {jointSeverity, contactSeverity},
                         {resolveJoint, resolveContact}, options.iterations, options.tolerance);
}

SeverityResult resolveVelocities(std::span<RigidBody> bodies, std::span<const SolverJoint> joints,
                                 std::span<const SolverContact> contacts, double friction,
                                 const SeverityOptions& options) {
  const Pass pass{bodies, friction};
  return mostSevereFirst(joints, contacts,
                         {[&](const SolverJoint& joint) { return pass.severity(joint); },
                          [&](const SolverContact& contact) { return pass.severity(contact); }},
                         {[&](const SolverJoint& joint) { pass.resolve(joint); },
                          [&](const SolverContact& contact) { pass.resolve(contact); }},
                         options.iterations, options.speedTolerance);
}

void dampJoints(std::span<RigidBody> bodies, std::span<const SolverJoint> joints, double lost) {
  for (const SolverJoint& joint : joints) {
    RigidBody& parent = bodies[joint.parent];
    RigidBody& child = bodies[joint.child];
    if (!(parent.inverseMass + child.inverseMass > 0.0)) continue;
    const glm::dvec3 impulse = angularImpulseFor(parent, child, -lost * (child.spin - parent.spin));
    child.spin += inverseInertiaTimes(child, impulse);
    parent.spin -= inverseInertiaTimes(parent, impulse);
  }
}

double lostWithin(double perSecond, double seconds) {
  return 1.0 - std::pow(1.0 - perSecond, seconds);
}

} // namespace sinew
