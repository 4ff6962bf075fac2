// The second pass: of velocities.
#include "physics/most_severe_first.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double kAtLimit = 1e-3;  // radians short of a limit that count as there
constexpr double kTouching = 2e-4; // metres apart that count as touching

void hit(RigidBody& body, const glm::dvec3& arm, const glm::dvec3& impulse) {
  body.velocity += body.inverseMass * impulse;
  body.spin += inverseInertiaTimes(body, glm::cross(arm, impulse));
}

glm::dvec3 pointVelocity(const RigidBody& body, const glm::dvec3& arm) {
  return body.velocity + glm::cross(body.spin, arm);
}

// Of the child's spin against the parent's, what goes further about `axis` at a limit.
void addOutward(const glm::dvec3& axis, double left, const glm::dvec3& spin, glm::dvec3& wrong) {
  if (left > kAtLimit) return;
  const double speed = glm::dot(axis, spin);
  if (speed > 0.0) wrong += speed / glm::dot(axis, axis) * axis;
}

// The part of the child's spin against the parent's that the joint does not have.
glm::dvec3 wrongSpin(const JointFrame& frame, const RigidBody& parent, const RigidBody& child) {
  const glm::dvec3 spin = child.spin - parent.spin;
  const glm::dvec3 axis = parent.place.rotation * frame.axisParent;
  const JointAngles angles = jointAngles(frame, parent.place.rotation, child.place.rotation);
  if (frame.type == RagdollJointType::hinge) {
    glm::dvec3 wrong = spin - glm::dot(axis, spin) * axis;
    addOutward(axis, frame.front - angles.hinge, spin, wrong);
    addOutward(-axis, angles.hinge - frame.back, spin, wrong);
    return wrong;
  }
  glm::dvec3 wrong(0.0);
  const glm::dvec3 direction = child.place.rotation * frame.direction;
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
    return pointVelocity(child, child.place.rotation * joint.frame.anchorChild) -
           pointVelocity(parent, parent.place.rotation * joint.frame.anchorParent);
  }

  double severity(const SolverJoint& joint) const {
    const RigidBody& parent = bodies[joint.parent];
    const RigidBody& child = bodies[joint.child];
    if (!(parent.inverseMass + child.inverseMass > 0.0)) return 0.0;
    const double share = parentShare(parent, child);
    const double radius =
        share * joint.frame.radiusParent + (1.0 - share) * joint.frame.radiusChild;
    return glm::length(anchorSpeed(joint)) +
           radius * glm::length(wrongSpin(joint.frame, parent, child));
  }

  void resolve(const SolverJoint& joint) const {
    RigidBody& parent = bodies[joint.parent];
    RigidBody& child = bodies[joint.child];
    const glm::dvec3 turning =
        turningImpulseFor(parent, child, -wrongSpin(joint.frame, parent, child));
    child.spin += inverseInertiaTimes(child, turning);
    parent.spin -= inverseInertiaTimes(parent, turning);
    const glm::dvec3 parentArm = parent.place.rotation * joint.frame.anchorParent;
    const glm::dvec3 childArm = child.place.rotation * joint.frame.anchorChild;
    const glm::dvec3 impulse = impulseFor(parent, parentArm, child, childArm, anchorSpeed(joint));
    hit(parent, parentArm, impulse);
    hit(child, childArm, -impulse);
  }

  // How fast a comes towards b, and what it slides.
  glm::dvec3 contactSpeed(const SolverContact& contact) const {
    glm::dvec3 speed(0.0);
    if (contact.a != kNoNode)
      speed += pointVelocity(bodies[contact.a], bodies[contact.a].place.rotation * contact.pointA);
    if (contact.b != kNoNode)
      speed -= pointVelocity(bodies[contact.b], bodies[contact.b].place.rotation * contact.pointB);
    return speed;
  }

  double severity(const SolverContact& contact) const {
    if (depthOf(bodies, contact) < -kTouching) return 0.0;
    return std::max(-glm::dot(contactSpeed(contact), contact.normal), 0.0);
  }

  void resolve(const SolverContact& contact) const {
    RigidBody still;
    RigidBody& a = bodyOr(bodies, contact.a, still);
    RigidBody& b = bodyOr(bodies, contact.b, still);
    const glm::dvec3 armA = a.place.rotation * contact.pointA;
    const glm::dvec3 armB = b.place.rotation * contact.pointB;
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
    const double rubs = std::min(fast / gives(along), friction * pressed);
    hit(a, armA, -rubs * along);
    hit(b, armB, rubs * along);
  }
};

} // namespace

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

} // namespace sinew
