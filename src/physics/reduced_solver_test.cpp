#include "core/random.h"
#include "core/test_effort.h"
#include "physics/ragdoll_test_tools.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

using namespace sinew;
using namespace sinew::test;

namespace {

glm::dvec3 anyDirection(Random& random) {
  for (;;) {
    const glm::dvec3 v(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    if (const double length = glm::length(v); length > 0.1) return v / length;
  }
}

PhysicsOptions floating() {
  PhysicsOptions options = physicsWith(JointSolver::reduced);
  options.ground = false;
  options.gravity = 0.0;
  return options;
}

struct Hurled {
  double through = 0.0; // fraction of the height
  double beyond = 0.0;  // degrees
  bool finite = true;
};

// A humanoid thrown at the ground, and one of its limbs faster.
Hurled hurl(Random& random, double speed) {
  Falling falling(physicsWith(JointSolver::reduced), {},
                  static_cast<double>(random.uniform(0.1f, 0.9f)));
  const auto struck = random.below(static_cast<std::uint32_t>(fitted().bodies.size()));
  for (std::size_t i = 0; i < fitted().bodies.size(); ++i)
    falling.ragdoll.push(i, static_cast<double>(fitted().bodies[i].mass) * speed *
                                (glm::dvec3(0.0, -0.5, 0.0) + 0.5 * anyDirection(random)));
  falling.ragdoll.push(struck, static_cast<double>(fitted().bodies[struck].mass) * speed *
                                   anyDirection(random));
  Hurled out;
  for (int i = 0; i < 120; ++i) {
    falling.world.step();
    const RagdollState state = falling.ragdoll.state();
    out.finite = out.finite && state.finite;
    out.through = std::max(out.through, -state.lowest / falling.ragdoll.height());
    for (const JointState& joint : state.joints)
      out.beyond = std::max(out.beyond, glm::degrees(joint.errors.limitExcess()));
  }
  return out;
}

} // namespace

TEST_CASE("reduced coordinates: however fast a limb comes, it stays above the ground") {
  Random random(41);
  double through = 0.0, beyond = 0.0;
  for (int round = 0; round < test::rounds(40, 8); ++round) {
    const Hurled hurled = hurl(random, static_cast<double>(random.uniform(4.0f, 10.0f)));
    CHECK(hurled.finite);
    through = std::max(through, hurled.through);
    beyond = std::max(beyond, hurled.beyond);
  }
  SINEW_FIGURE("through the ground, of the height ", through, ", beyond limits, degrees ", beyond);
  CHECK(through < 0.02);
  CHECK(beyond < 5.0);
}

TEST_CASE("reduced coordinates: a ball that hits a floating character shares its momentum") {
  Random random(42);
  for (int round = 0; round < test::rounds(10, 3); ++round) {
    PhysicsWorld world(floating());
    RagdollConfig config = fitted();
    config.linearDamping = config.angularDamping = 0.0f;
    Ragdoll ragdoll(world, humanoid(), config);
    const Pose pose = walkAt(0.4);
    ragdoll.start(pose, pose, world.stepSeconds());
    const glm::dvec3 chest = ragdoll.body(findBody(config, "Chest")).position;
    const glm::dvec3 from = anyDirection(random);
    const double mass = 8.0;
    const glm::dvec3 before = mass * -6.0 * from;
    const std::size_t ball = world.addBall(0.15, mass, chest + 0.9 * from, -6.0 * from);
    const auto middle = [&] {
      glm::dvec3 sum = mass * world.ball(ball).position;
      for (std::size_t i = 0; i < config.bodies.size(); ++i)
        sum += static_cast<double>(config.bodies[i].mass) * ragdoll.body(i).position;
      return sum;
    };
    for (int i = 0; i < 48; ++i)
      world.step();
    const glm::dvec3 at = middle();
    world.step();
    const glm::dvec3 momentum = (middle() - at) / world.stepSeconds();
    CHECK(glm::length(world.ballVelocity(ball) + 6.0 * from) > 1.0); // it hit
    CHECK(glm::length(momentum - before) < 0.05 * glm::length(before));
  }
}

TEST_CASE("reduced coordinates: a heap of ragdolls comes to rest, the same bits each time" *
          doctest::skip(test::kSanitized)) {
  const auto fall = [](std::size_t threads) {
    PhysicsOptions options = physicsWith(JointSolver::reduced);
    options.threads = threads;
    PhysicsWorld world(options);
    std::vector<std::unique_ptr<Ragdoll>> ragdolls;
    for (int i = 0; i < 3; ++i) { // above one another
      ragdolls.push_back(std::make_unique<Ragdoll>(
          world, humanoid(), fitted(),
          RagdollPlacement{glm::dvec3(0.0), {0.1 * i, 1.8 * i, 0.1 * i}}));
      const Pose pose = walkAt(0.2 + 0.2 * i);
      ragdolls.back()->start(pose, pose, world.stepSeconds());
    }
    double lowest = 0.0;
    for (int i = 0; i < 240 * 6; ++i) {
      world.step();
      for (const auto& ragdoll : ragdolls)
        lowest = std::min(lowest, ragdoll->state().lowest);
    }
    CHECK(lowest > -0.02 * ragdolls.front()->height());
    std::array<std::uint64_t, 3> hashes{};
    for (std::size_t i = 0; i < hashes.size(); ++i)
      hashes[i] = ragdolls[i]->hash();
    for (const auto& ragdoll : ragdolls) {
      const RagdollState state = ragdoll->state();
      CHECK(state.finite);
      CHECK(state.kinetic < 1.0); // joules, after six seconds
    }
    return hashes;
  };
  const auto alone = fall(1);
  CHECK(fall(1) == alone);
  CHECK(fall(2) == alone); // they are solved apart until they touch
}
