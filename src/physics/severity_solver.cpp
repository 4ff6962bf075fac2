#include "physics/severity_solver.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace sinew {
namespace {

glm::dvec3 inverseInertiaTimes(const RigidBody& body, const glm::dvec3& v) {
  const glm::dquat& q = body.place.rotation;
  return q * (body.inverseInertia * (glm::conjugate(q) * v));
}

// How much an impulse along a unit direction at `arm` moves the point there.
double givesWay(const RigidBody& body, const glm::dvec3& arm, const glm::dvec3& direction) {
  const glm::dvec3 turn = glm::cross(arm, direction);
  return body.inverseMass + glm::dot(turn, inverseInertiaTimes(body, turn));
}

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
  const glm::dvec3 apart =
      child.place.position + childArm - parent.place.position - parentArm;
  const double distance = glm::length(apart);
  if (distance < 1e-12) return;
  const glm::dvec3 direction = apart / distance;
  const double gives =
      givesWay(parent, parentArm, direction) + givesWay(child, childArm, direction);
  if (!(gives > 0.0)) return;
  const glm::dvec3 impulse = distance / gives * direction;
  pushBody(parent, parentArm, impulse);
  pushBody(child, childArm, -impulse);
}

void resolveAngles(RigidBody& parent, RigidBody& child, const JointFrame& frame) {
  const glm::dquat wanted =
      allowedRotation(frame, parent.place.rotation, child.place.rotation);
  const glm::dvec3 turn = rotationVector(wanted * glm::conjugate(child.place.rotation));
  const double angle = glm::length(turn);
  if (angle < 1e-12) return;
  const glm::dvec3 axis = turn / angle;
  const double ofParent = glm::dot(axis, inverseInertiaTimes(parent, axis));
  const double ofChild = glm::dot(axis, inverseInertiaTimes(child, axis));
  if (!(ofParent + ofChild > 0.0)) return;
  const glm::dvec3 impulse = angle / (ofParent + ofChild) * axis;
  turnBody(child, inverseInertiaTimes(child, impulse));
  turnBody(parent, -inverseInertiaTimes(parent, impulse));
}

// What stands still, in place of a body.
RigidBody& bodyOr(std::span<RigidBody> bodies, std::uint32_t index, RigidBody& still) {
  return index == kNoNode ? still : bodies[index];
}

double severityOf(std::span<const RigidBody> bodies, const SolverContact& contact) {
  const auto world = [&](std::uint32_t body, const glm::dvec3& point) {
    return body == kNoNode ? point : bodies[body].place.point(point);
  };
  const glm::dvec3 apart = world(contact.a, contact.pointA) - world(contact.b, contact.pointB);
  return std::max(-glm::dot(apart, contact.normal) - contact.allowed, 0.0);
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

double severityOf(std::span<const RigidBody> bodies, const SolverJoint& joint) {
  const RigidBody& parent = bodies[joint.parent];
  const RigidBody& child = bodies[joint.child];
  return severity(jointErrors(joint.frame, parent.place, child.place), joint.frame,
                  parentShare(parent, child));
}

void resolve(std::span<RigidBody> bodies, const SolverJoint& joint) {
  resolveAngles(bodies[joint.parent], bodies[joint.child], joint.frame);
  resolvePosition(bodies[joint.parent], bodies[joint.child], joint.frame);
}

// Algorithm 1 over joints and contacts alike: which bodies each has, and how severe it is.
class Ranking {
 public:
  Ranking(std::span<RigidBody> bodies, std::span<const SolverJoint> joints,
          std::span<const SolverContact> contacts)
      : bodies_(bodies), joints_(joints), contacts_(contacts) {
    for (const SolverJoint& joint : joints)
      pairs_.emplace_back(joint.parent, joint.child);
    for (const SolverContact& contact : contacts)
      pairs_.emplace_back(contact.a, contact.b);
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      severities_.push_back(find(i));
  }

  std::size_t worst() const {
    return static_cast<std::size_t>(std::max_element(severities_.begin(), severities_.end()) -
                                    severities_.begin());
  }
  double operator[](std::size_t index) const { return severities_[index]; }

  void resolveOne(std::size_t index) {
    if (index < joints_.size())
      resolve(bodies_, joints_[index]);
    else
      resolve(bodies_, contacts_[index - joints_.size()]);
    const auto [a, b] = pairs_[index];
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      if (has(i, a) || has(i, b)) severities_[i] = find(i);
  }

 private:
  bool has(std::size_t index, std::uint32_t body) const {
    return body != kNoNode && (pairs_[index].first == body || pairs_[index].second == body);
  }
  double find(std::size_t index) const {
    const std::span<const RigidBody> bodies = bodies_;
    return index < joints_.size() ? severityOf(bodies, joints_[index])
                                  : severityOf(bodies, contacts_[index - joints_.size()]);
  }

  std::span<RigidBody> bodies_;
  std::span<const SolverJoint> joints_;
  std::span<const SolverContact> contacts_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  std::vector<double> severities_;
};

double totalEnergy(std::span<const RigidBody> bodies) {
  double sum = 0.0;
  for (const RigidBody& body : bodies)
    sum += kineticEnergy(body);
  return sum;
}

struct Change {
  glm::dvec3 velocity{0.0};
  glm::dvec3 spin{0.0};
};

// The greatest share of the changes that leaves no more energy than there was, by halving.
double shareWithin(std::span<RigidBody> bodies, const std::vector<Change>& changes) {
  const std::vector<RigidBody> before(bodies.begin(), bodies.end());
  const double allowed = totalEnergy(before);
  const auto apply = [&](double share) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies[i].velocity = before[i].velocity + share * changes[i].velocity;
      bodies[i].spin = before[i].spin + share * changes[i].spin;
    }
    return totalEnergy(bodies) <= allowed;
  };
  if (apply(1.0)) return 1.0;
  double low = 0.0;
  double high = 1.0;
  for (int i = 0; i < 12; ++i) {
    const double middle = 0.5 * (low + high);
    (apply(middle) ? low : high) = middle;
  }
  apply(low);
  return low;
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
  SeverityResult result;
  if (joints.empty() && contacts.empty()) return result;
  Ranking ranking(bodies, joints, contacts);
  for (;; ++result.iterations) {
    const std::size_t worst = ranking.worst();
    result.largest = ranking[worst];
    if (result.iterations == options.iterations || result.largest <= options.tolerance)
      return result;
    ranking.resolveOne(worst);
  }
}

SeverityResult resolveStep(std::span<RigidBody> bodies, std::span<const SolverJoint> joints,
                           std::span<const SolverContact> contacts, const SeverityOptions& options,
                           double seconds) {
  std::vector<BodyPlace> before;
  for (const RigidBody& body : bodies)
    before.push_back(body.place);
  const SeverityResult result = resolveSeverity(bodies, joints, contacts, options);
  std::vector<Change> changes;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyPlace& after = bodies[i].place;
    changes.push_back(
        {(after.position - before[i].position) / seconds,
         rotationVector(after.rotation * glm::conjugate(before[i].rotation)) / seconds});
  }
  shareWithin(bodies, changes);
  return result;
}

} // namespace sinew
