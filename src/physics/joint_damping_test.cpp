#include "core/random.h"
#include "physics/joint_damping.h"
#include "physics/ragdoll_test_tools.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace sinew;

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
  // Of the spins alone: damping moves no body.
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
