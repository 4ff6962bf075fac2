#include "core/random.h"
#include "physics/ragdoll_test_tools.h"
#include "physics/severity_solver.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
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

namespace {

glm::dvec3 anyVector(Random& random, double reach) {
  const auto one = [&] { return reach * static_cast<double>(random.uniform(-1.0f, 1.0f)); };
  return {one(), one(), one()};
}

// A random tree of bodies, some of which cannot be moved.
struct Tree {
  std::vector<RigidBody> bodies;
  std::vector<SolverJoint> joints;

  explicit Tree(Random& random) {
    for (std::uint32_t i = 0; i < 2 + random.below(8); ++i) {
      RigidBody body;
      body.transform.rotation = toRotation(anyVector(random, 3.0));
      body.velocity = anyVector(random, 5.0);
      body.spin = anyVector(random, 20.0);
      if (random.below(6) > 0) {
        body.inverseMass = 1.0 / static_cast<double>(random.uniform(0.1f, 50.0f));
        body.inverseInertia = glm::dvec3(random.uniform(0.1f, 9.0f), random.uniform(0.1f, 9.0f),
                                         random.uniform(0.1f, 9.0f));
      } else {
        body.velocity = body.spin = glm::dvec3(0.0);
      }
      if (i > 0) joints.push_back({{}, random.below(i), i});
      bodies.push_back(body);
    }
  }

  double energy() const {
    double sum = 0.0;
    for (const RigidBody& body : bodies)
      sum += kineticEnergy(body);
    return sum;
  }
  // Counts the spins alone: damping moves no body.
  glm::dvec3 angularMomentum() const {
    glm::dvec3 sum(0.0);
    for (const RigidBody& body : bodies)
      if (body.inverseMass > 0.0)
        sum += body.transform.rotation *
               ((glm::conjugate(body.transform.rotation) * body.spin) / body.inverseInertia);
    return sum;
  }
};

double relativeSpins(const Ragdoll& ragdoll, const std::vector<glm::dquat>& before,
                     const RagdollConfig& config) {
  double sum = 0.0;
  for (const RagdollJoint& joint : config.joints) {
    const std::size_t a = test::findBody(config, joint.parent),
                      b = test::findBody(config, joint.child);
    const auto turned = [&](std::size_t i) {
      return rotationVector(ragdoll.body(i).rotation * glm::conjugate(before[i]));
    };
    sum += glm::length(turned(b) - turned(a));
  }
  return sum;
}

} // namespace

TEST_CASE("joint damping: energy never grows and angular momentum stays") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Tree tree(random);
    const bool free = std::all_of(tree.bodies.begin(), tree.bodies.end(),
                                  [](const RigidBody& body) { return body.inverseMass > 0.0; });
    const glm::dvec3 momentum = tree.angularMomentum();
    double energy = tree.energy();
    for (const double lost : {0.01, 0.3, 1.0}) {
      dampJoints(tree.bodies, tree.joints, lost);
      CHECK(tree.energy() <= energy * (1.0 + 1e-12));
      energy = tree.energy();
    }
    if (free)
      CHECK(glm::length(tree.angularMomentum() - momentum) <= 1e-9 * (1.0 + glm::length(momentum)));
  }
}

TEST_CASE("joint damping: of two bodies the relative spin loses the fraction about its axis") {
  Random random(4);
  for (int i = 0; i < 100; ++i) {
    std::vector<RigidBody> bodies(2);
    for (RigidBody& body : bodies) {
      body.spin = anyVector(random, 9.0);
      body.inverseMass = 1.0;
      body.inverseInertia = glm::dvec3(random.uniform(0.5f, 2.0f));
    }
    const double lost = static_cast<double>(random.uniform());
    const glm::dvec3 before = bodies[1].spin - bodies[0].spin;
    dampJoints(bodies, std::vector<SolverJoint>{{{}, 0, 1}}, lost);
    const glm::dvec3 after = bodies[1].spin - bodies[0].spin;
    CHECK(glm::length(after - (1.0 - lost) * before) < 1e-9);
  }
}

TEST_CASE("joint damping: does not depend on the length of a step") {
  CHECK(lostWithin(0.0, 0.1) == 0.0);
  CHECK(lostWithin(1.0, 0.1) == 1.0);
  const double remains = std::pow(1.0 - lostWithin(0.7, 1.0 / 480.0), 480.0);
  CHECK(remains == doctest::Approx(0.3));
}

TEST_CASE("joint damping: limbs of a falling ragdoll swing less, and its energy never grows") {
  for (const JointSolver solver : kJointSolvers) {
    CAPTURE(static_cast<int>(solver));
    double swung[2] = {0.0, 0.0};
    for (const bool damped : {false, true}) {
      RagdollConfig config = test::fitted();
      config.jointDamping = damped ? 0.999f : 0.0f;
      PhysicsOptions options = physicsWith(solver);
      options.gravity = 0.0;
      options.ground = false;
      PhysicsWorld world(options);
      Ragdoll ragdoll(world, test::humanoid(), config);
      const double step = world.stepSeconds();
      ragdoll.start(test::walkAt(0.4 - step), test::walkAt(0.4), step, {});
      const double before = ragdoll.state().kinetic;
      double largest = 0.0;
      std::vector<glm::dquat> rotations(config.bodies.size());
      for (int i = 0; i < 480; ++i) {
        for (std::size_t b = 0; b < rotations.size(); ++b)
          rotations[b] = ragdoll.body(b).rotation;
        world.step();
        largest = std::max(largest, ragdoll.state().kinetic);
        swung[damped ? 1 : 0] += relativeSpins(ragdoll, rotations, config);
      }
      CHECK(largest <= 1.02 * before);
    }
    CHECK(swung[1] < 0.7 * swung[0]);
  }
}
