#include "physics/most_severe_first.h"

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace sinew {
namespace {

// Column by column: what an impulse at `arm` does to the point there.
glm::dmat3 givesWayMatrix(const RigidBody& body, const glm::dvec3& arm) {
  glm::dmat3 m(body.inverseMass);
  for (int i = 0; i < 3; ++i) {
    glm::dvec3 unit(0.0);
    unit[i] = 1.0;
    m[i] += glm::cross(inverseInertiaTimes(body, glm::cross(arm, unit)), arm);
  }
  return m;
}

} // namespace

glm::dvec3 inverseInertiaTimes(const RigidBody& body, const glm::dvec3& v) {
  const glm::dquat& q = body.transform.rotation;
  return q * (body.inverseInertia * (glm::conjugate(q) * v));
}

double givesWay(const RigidBody& body, const glm::dvec3& arm, const glm::dvec3& direction) {
  const glm::dvec3 moment = glm::cross(arm, direction);
  return body.inverseMass + glm::dot(moment, inverseInertiaTimes(body, moment));
}

glm::dvec3 impulseFor(const RigidBody& parent, const glm::dvec3& parentArm, const RigidBody& child,
                      const glm::dvec3& childArm, const glm::dvec3& apart) {
  if (!(parent.inverseMass + child.inverseMass > 0.0)) return glm::dvec3(0.0);
  return glm::inverse(givesWayMatrix(parent, parentArm) + givesWayMatrix(child, childArm)) * apart;
}

glm::dvec3 angularImpulseFor(const RigidBody& parent, const RigidBody& child,
                             const glm::dvec3& rotation) {
  const double angle = glm::length(rotation);
  if (angle < 1e-12) return glm::dvec3(0.0);
  const glm::dvec3 axis = rotation / angle;
  const double gives = glm::dot(axis, inverseInertiaTimes(parent, axis)) +
                       glm::dot(axis, inverseInertiaTimes(child, axis));
  return gives > 0.0 ? angle / gives * axis : glm::dvec3(0.0);
}

double measureDepth(std::span<const RigidBody> bodies, const SolverContact& contact) {
  const auto world = [&](std::uint32_t body, const glm::dvec3& point) {
    return body == kNoNode ? point : bodies[body].transform.point(point);
  };
  const glm::dvec3 apart = world(contact.a, contact.pointA) - world(contact.b, contact.pointB);
  return -glm::dot(apart, contact.normal);
}

SeverityResult mostSevereFirst(std::span<const SolverJoint> joints,
                               std::span<const SolverContact> contacts, const Severities& severity,
                               const Resolvers& resolve, int iterations, double tolerance) {
  SeverityResult result;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs; // bodies that are joined or touch
  for (const SolverJoint& joint : joints)
    pairs.emplace_back(joint.parent, joint.child);
  for (const SolverContact& contact : contacts)
    pairs.emplace_back(contact.a, contact.b);
  if (pairs.empty()) return result;
  const auto find = [&](std::size_t i) {
    return i < joints.size() ? severity.joint(joints[i])
                             : severity.contact(contacts[i - joints.size()]);
  };
  const auto has = [&](std::size_t i, std::uint32_t body) {
    return body != kNoNode && (pairs[i].first == body || pairs[i].second == body);
  };
  std::vector<double> severities;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    severities.push_back(find(i));
  for (;; ++result.iterations) {
    const auto largest = std::max_element(severities.begin(), severities.end());
    result.largest = *largest;
    if (result.iterations == iterations || result.largest <= tolerance) return result;
    const auto worst = static_cast<std::size_t>(largest - severities.begin());
    if (worst < joints.size())
      resolve.joint(joints[worst]);
    else
      resolve.contact(contacts[worst - joints.size()]);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      if (has(i, pairs[worst].first) || has(i, pairs[worst].second)) severities[i] = find(i);
  }
}

} // namespace sinew
