#include "core/random.h"
#include "physics/severity_solver.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <vector>

using namespace sinew;

namespace {

// Bodies one metre long in a row along x, each joined to the one before.
struct Chain {
  std::vector<RigidBody> bodies;
  std::vector<SolverJoint> joints;
};

Chain chain(int links, RagdollJointType type) {
  Chain made;
  for (int i = 0; i < links; ++i) {
    RigidBody body;
    body.transform.position = {i + 0.5, 3.0, 0.0};
    body.inverseMass = 1.0 / (1.0 + i % 3);
    body.inverseInertia = glm::dvec3(12.0 * body.inverseMass);
    made.bodies.push_back(body);
    if (i == 0) continue;
    RagdollJoint joint;
    joint.type = type;
    joint.anchor = {0.5f, 0.0f, 0.0f};
    joint.axis = type == RagdollJointType::hinge ? vec3(0, 0, 1) : vec3(1, 0, 0);
    joint.backAngle = joint.frontAngle = 0.0f;
    joint.frontAngle = glm::radians(100.0f);
    joint.bendFreedom = glm::radians(50.0f);
    joint.rotationalFreedom = glm::radians(30.0f);
    const auto child = static_cast<std::uint32_t>(i);
    made.joints.push_back({jointFrame(joint, made.bodies[child - 1].transform, body.transform, 1.0),
                           child - 1, child});
  }
  return made;
}

void shake(Chain& chain, std::uint64_t seed) {
  Random random(seed);
  const auto some = [&](double max) {
    return max * glm::dvec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  };
  for (RigidBody& body : chain.bodies) {
    body.transform.position += some(0.2);
    body.transform.rotation = toRotation(some(0.8)) * body.transform.rotation;
    body.velocity = some(3.0);
    body.spin = some(6.0);
  }
}

double worst(const Chain& chain) {
  double largest = 0.0;
  for (const SolverJoint& joint : chain.joints) {
    const JointErrors errors = jointErrors(joint.frame, chain.bodies[joint.parent].transform,
                                           chain.bodies[joint.child].transform);
    largest = std::max({largest, errors.position, errors.limitExcess()});
  }
  return largest;
}

double energy(const Chain& chain) {
  double sum = 0.0;
  for (const RigidBody& body : chain.bodies)
    sum += kineticEnergy(body);
  return sum;
}

} // namespace

TEST_CASE("the most severe joints are resolved until none is left") {
  for (const RagdollJointType type : {RagdollJointType::hinge, RagdollJointType::universal})
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      Chain shaken = chain(8, type);
      shake(shaken, seed);
      CHECK(worst(shaken) > 0.05);
      const SeverityResult result =
          resolveSeverity(shaken.bodies, shaken.joints, {}, {.iterations = 20000});
      CHECK(result.largest <= 2e-5);
      CHECK(worst(shaken) < 1e-4);
    }
}

TEST_CASE("resolving moves nothing as a whole, and no fixed body") {
  Chain shaken = chain(5, RagdollJointType::universal);
  shake(shaken, 4);
  const auto center = [&] {
    glm::dvec3 sum(0.0);
    for (const RigidBody& body : shaken.bodies)
      sum += body.transform.position / body.inverseMass;
    return sum;
  };
  const glm::dvec3 before = center();
  resolveSeverity(shaken.bodies, shaken.joints, {}, {});
  CHECK(glm::length(center() - before) < 1e-9);
  shake(shaken, 5);
  shaken.bodies[0].inverseMass = 0.0;
  shaken.bodies[0].inverseInertia = glm::dvec3(0.0);
  const RigidTransform fast = shaken.bodies[0].transform;
  resolveSeverity(shaken.bodies, shaken.joints, {}, {.iterations = 20000});
  CHECK(shaken.bodies[0].transform.position == fast.position);
  CHECK(shaken.bodies[0].transform.rotation == fast.rotation);
  CHECK(worst(shaken) < 1e-4);
}

TEST_CASE("resolved velocities agree with the joints, lose energy and keep momentum") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Chain shaken = chain(8, seed % 2 == 0 ? RagdollJointType::hinge : RagdollJointType::universal);
    shake(shaken, seed);
    resolveSeverity(shaken.bodies, shaken.joints, {}, {.iterations = 20000, .tolerance = 1e-9});
    const auto momentum = [&] {
      glm::dvec3 sum(0.0);
      for (const RigidBody& body : shaken.bodies)
        sum += body.velocity / body.inverseMass;
      return sum;
    };
    const glm::dvec3 before = momentum();
    const double had = energy(shaken);
    const SeverityResult result =
        resolveVelocities(shaken.bodies, shaken.joints, {}, 0.5, {.iterations = 20000});
    CHECK(result.largest <= 1e-3);
    CHECK(energy(shaken) <= had + 1e-9);
    CHECK(glm::length(momentum() - before) < 1e-9);
    // A small step on, the joints still hold to first order.
    const double step = 1e-4;
    for (RigidBody& body : shaken.bodies) {
      body.transform.position += step * body.velocity;
      body.transform.rotation = toRotation(step * body.spin) * body.transform.rotation;
    }
    CHECK(worst(shaken) < 2e-6);
  }
}

TEST_CASE("contacts push apart, have friction and do not pull") {
  RigidBody body;
  body.transform.position = {0.0, 0.45, 0.0};
  body.inverseMass = 0.5;
  body.inverseInertia = glm::dvec3(3.0);
  body.velocity = {2.0, -1.0, 0.0};
  std::vector<RigidBody> bodies{body};
  const SolverContact contact{0, kNoNode, {0.0, -0.5, 0.0}, {0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, 0.0};
  resolveSeverity(bodies, {}, {&contact, 1}, {});
  CHECK(bodies[0].transform.point({0.0, -0.5, 0.0}).y == doctest::Approx(0.0).epsilon(1e-4));
  resolveVelocities(bodies, {}, {&contact, 1}, 0.5, {});
  CHECK(bodies[0].velocity.y >= -1e-3);
  CHECK(bodies[0].velocity.x == doctest::Approx(1.5)); // half of what presses
  bodies[0].velocity = {0.0, 1.0, 0.0};
  bodies[0].transform.position.y = 0.6;
  resolveSeverity(bodies, {}, {&contact, 1}, {});
  resolveVelocities(bodies, {}, {&contact, 1}, 0.5, {});
  CHECK(bodies[0].transform.position.y == 0.6);
  CHECK(bodies[0].velocity.y == 1.0);
}
