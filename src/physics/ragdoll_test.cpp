#include "core/error.h"
#include "core/random.h"
#include "core/test_effort.h"
#include "physics/ragdoll_test_tools.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

glm::dvec3 anyBlow(Random& random, float size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

// The whole's centre of mass.
glm::dvec3 computeCenterOfMass(const Ragdoll& ragdoll) {
  glm::dvec3 sum(0.0);
  double mass = 0.0;
  for (std::size_t i = 0; i < ragdoll.config().bodies.size(); ++i) {
    const auto each = static_cast<double>(ragdoll.config().bodies[i].mass);
    sum += each * ragdoll.body(i).position;
    mass += each;
  }
  return sum / mass;
}

double sumMass(const RagdollConfig& config) {
  double mass = 0.0;
  for (const RagdollBody& body : config.bodies)
    mass += static_cast<double>(body.mass);
  return mass;
}

} // namespace

TEST_CASE("bones follow their bodies, with their descendants") {
  Falling falling;
  falling.run(240); // half a second: what the switch repaired has faded
  const Pose pose = falling.ragdoll.pose();
  const auto modelFromNode = modelFromNodes(humanoid().hierarchy, pose);
  const auto bound = modelFromNodes(humanoid().hierarchy, bindPose(humanoid()));
  for (std::size_t i = 0; i < fitted().bodies.size(); ++i) {
    // Equation 4.2: the body's center, fixed to its bone, is where the body is.
    const auto node = *findNode(humanoid().hierarchy, fitted().bodies[i].bone);
    const vec3 center =
        transformPoint(modelFromNode[node] * glm::inverse(bound[node]), fitted().bodies[i].center);
    const vec3 body = vec3(falling.ragdoll.modelFromWorld(falling.ragdoll.body(i).position));
    CHECK(glm::length(center - body) < 2e-5f);
  }
  // A finger has no body; it keeps its transform relative to the hand.
  const auto finger = *findNode(humanoid().hierarchy, "LeftFingers");
  CHECK(pose.parentFromNode[finger] == walkAt(0.4).parentFromNode[finger]);
}

TEST_CASE("the same start gives the same hash after 600 steps") {
  for (const JointSolver solver : kJointSolvers) {
    Falling a(physicsWith(solver));
    Falling b(physicsWith(solver));
    Falling other(physicsWith(solver), {}, 0.41);
    a.run(60);
    other.run(60);
    CHECK(a.ragdoll.hash() != other.ragdoll.hash());
    a.run(540);
    b.run(600);
    CHECK(a.ragdoll.hash() == b.ragdoll.hash());
    CHECK(a.ragdoll.pose() == b.ragdoll.pose());
  }
}

TEST_CASE("without a ground the whole falls as one, and its joints hold") {
  for (const JointSolver solver : kJointSolvers) {
    PhysicsOptions options = physicsWith(solver);
    options.ground = false;
    PhysicsWorld world(options);
    RagdollConfig config = fitted();
    config.linearDamping = config.angularDamping = 0.0f;
    Ragdoll ragdoll(world, humanoid(), config);
    const Pose pose = walkAt(0.4);
    ragdoll.start(pose, pose, world.stepSeconds());
    const glm::dvec3 before = computeCenterOfMass(ragdoll);
    for (double seconds = 0.0; seconds < 1.0 - 1e-9; seconds += world.stepSeconds())
      world.step();
    const glm::dvec3 fallen = computeCenterOfMass(ragdoll) - before;
    CHECK(fallen.y == doctest::Approx(-0.5 * 9.81).epsilon(0.005));
    CHECK(std::abs(fallen.x) + std::abs(fallen.z) < 0.01);
    for (const JointState& joint : ragdoll.state().joints)
      CHECK(joint.errors.position < 1e-3);
  }
}

TEST_CASE("a model of any unit falls the same way") {
  Model big = humanoid();
  constexpr float kScale = 100.0f;
  const mat4 grow = toMatrix(Transform{vec3(0), quat(1, 0, 0, 0), vec3(kScale)});
  for (Node& node : big.hierarchy.nodes)
    node.rest.translation *= kScale;
  for (Mesh& mesh : big.meshes)
    for (vec3& p : mesh.positions)
      p *= kScale;
  for (Skin& skin : big.skins)
    for (SkinJoint& joint : skin.joints)
      joint.jointFromBind = grow * joint.jointFromBind * glm::inverse(grow);
  PhysicsWorld world({});
  Ragdoll ragdoll(world, big, fitRagdoll(big, buildRig(big)));
  PhysicsWorld smallWorld({});
  Ragdoll small(smallWorld, humanoid(), fitted());
  const Pose bigRest = restPose(big.hierarchy);
  const Pose rest = restPose(humanoid().hierarchy);
  ragdoll.start(bigRest, bigRest, world.stepSeconds());
  small.start(rest, rest, world.stepSeconds());
  for (int i = 0; i < 150; ++i) {
    world.step();
    smallWorld.step();
  }
  CHECK(ragdoll.height() == doctest::Approx(small.height()).epsilon(1e-3));
  for (std::size_t i = 0; i < fitted().bodies.size(); ++i)
    CHECK(glm::length(ragdoll.body(i).position - small.body(i).position) < 5e-3);
}

TEST_CASE("a dragged hand comes to where it is pulled") {
  Falling falling;
  const std::size_t hand = findBody(fitted(), "LeftHand");
  falling.run(480);
  const glm::dvec3 target = falling.ragdoll.body(hand).position + glm::dvec3(0.0, 0.8, 0.0);
  falling.ragdoll.drag(hand, falling.ragdoll.body(hand).position, target);
  falling.run(960);
  CHECK(glm::length(falling.ragdoll.body(hand).position - target) < 0.1);
  CHECK(falling.ragdoll.state().finite);
  // However far the target, it is led there, not shot.
  falling.ragdoll.dragTo(target + glm::dvec3(0.0, 50.0, 0.0));
  const glm::dvec3 from = falling.ragdoll.body(hand).position;
  falling.run(240);
  const glm::dvec3 led = falling.ragdoll.body(hand).position - from;
  CHECK(led.y > 0.3);
  CHECK(glm::length(led) < 2.5); // in half a second; the spring's reach allows 4.3 m/s
  falling.ragdoll.dragTo(target);
  falling.run(960);
  falling.ragdoll.release();
  falling.run(480);
  CHECK(falling.ragdoll.body(hand).position.y < target.y - 0.3);
}

TEST_CASE("one sees a limb through a wall, but not behind a ball") {
  PhysicsWorld world({});
  Ragdoll ragdoll(world, humanoid(), fitted());
  const glm::dvec3 chest = ragdoll.body(findBody(fitted(), "Chest")).position;
  const glm::dvec3 eye = chest + glm::dvec3(0.0, 0.0, 5.0);
  world.addWall({0, 0, -1}, -2.0 - chest.z);
  const auto seen = ragdoll.hit(eye, chest);
  REQUIRE(seen);
  CHECK(seen->body == findBody(fitted(), "Chest"));
  world.addBall(0.2, 5.0, chest + glm::dvec3(0.0, 0.0, 1.0), glm::dvec3(0.0));
  CHECK_FALSE(ragdoll.hit(eye, chest));
}

TEST_CASE("the animated bodies of a partial ragdoll hide what is behind them") {
  Falling falling({}, {"RightUpperArm", 0.0});
  const auto at = [&](const char* bone) {
    return falling.ragdoll.body(findBody(fitted(), bone)).position;
  };
  // Through the chest, to the arm that falls behind it.
  const glm::dvec3 arm = at("RightUpperArm");
  const glm::dvec3 ray = glm::normalize(arm - at("Chest"));
  const auto hidden = falling.ragdoll.hit(at("Chest") - 5.0 * ray, arm);
  REQUIRE(hidden);
  CHECK(hidden->body != findBody(fitted(), "RightUpperArm"));
  const auto seen = falling.ragdoll.hit(arm + 5.0 * ray, arm);
  REQUIRE(seen);
  CHECK(falling.ragdoll.config().bodies[seen->body].bone.starts_with("Right"));
  // A wall still does not.
  falling.world.addWall(-ray, glm::dot(-ray, arm + 2.0 * ray));
  CHECK(falling.ragdoll.hit(arm + 5.0 * ray, arm)->body == seen->body);
}

TEST_CASE("a ball knocks it over, and walls keep it in") {
  PhysicsOptions options;
  PhysicsWorld world(options);
  Ragdoll ragdoll(world, humanoid(), fitted());
  const Pose rest = restPose(humanoid().hierarchy);
  ragdoll.start(rest, rest, world.stepSeconds());
  world.addWall({0, 0, 1}, -0.6);
  const glm::dvec3 chest = ragdoll.body(findBody(fitted(), "Chest")).position;
  world.addBall(0.15, 20.0, chest + glm::dvec3(0, 0, 1.5), {0, 0, -15});
  double behind = 0.0;
  double through = 0.0;
  for (int i = 0; i < 960; ++i) {
    world.step();
    for (std::size_t b = 0; b < fitted().bodies.size(); ++b)
      through = std::min(through, ragdoll.body(b).position.z + 0.6);
    behind = std::min(behind, ragdoll.body(findBody(fitted(), "Chest")).position.z);
  }
  CHECK(behind < chest.z - 0.2);
  CHECK(through > -0.02);
  CHECK(world.ball(0).position.z > -0.6);
  CHECK(ragdoll.state().finite);
}

TEST_CASE("the clock gives whole steps and keeps the rest") {
  StepClock clock;
  CHECK(clock.stepsFor(0.0125, 0.01) == 1);
  CHECK(clock.fraction(0.01) == doctest::Approx(0.25));
  CHECK(clock.stepsFor(0.0075, 0.01) == 1);
  CHECK(clock.fraction(0.01) == doctest::Approx(0.0).epsilon(1e-6));
  CHECK(clock.stepsFor(10.0, 0.01, 60) == 60);
  CHECK(clock.left == 0.0);
}

namespace {

// The half second after blows to a humanoid that floats.
struct AfterBlows {
  double momentum = 0.0; // the largest difference from what the blows gave, as a share of it
  double apart = 0.0, askew = 0.0, beyond = 0.0;
  double energy = 0.0; // the largest, over that at the blows
};

AfterBlows blowsInReducedCoordinates(double stepsPerSecond, int rounds) {
  PhysicsOptions options = physicsWith(JointSolver::reduced);
  options.stepsPerSecond = stepsPerSecond;
  options.ground = false;
  options.gravity = 0.0;
  RagdollConfig config = fitted();
  config.linearDamping = config.angularDamping = 0.0f;
  Random random(8);
  AfterBlows out;
  for (int i = 0; i < rounds; ++i) {
    PhysicsWorld world(options);
    Ragdoll ragdoll(world, humanoid(), config);
    const Pose pose = walkAt(static_cast<double>(random.uniform(0.1f, 0.9f)));
    ragdoll.start(pose, pose, world.stepSeconds());
    glm::dvec3 given(0.0);
    for (int blow = 0; blow < 3; ++blow) {
      const auto struck = random.below(static_cast<std::uint32_t>(config.bodies.size()));
      const glm::dvec3 impulse = anyBlow(random, 2.0f * config.bodies[struck].mass);
      ragdoll.push(struck, impulse);
      given += impulse;
    }
    const double energy = ragdoll.state().kinetic;
    const glm::dvec3 before = computeCenterOfMass(ragdoll);
    double seconds = 0.0;
    for (; seconds < 0.5; seconds += world.stepSeconds()) {
      world.step();
      const RagdollState state = ragdoll.state();
      out.energy = std::max(out.energy, state.kinetic / energy);
      for (const JointState& joint : state.joints) {
        out.apart = std::max(out.apart, joint.errors.position);
        out.askew = std::max(out.askew, joint.errors.sideways);
        out.beyond = std::max(out.beyond, joint.errors.limitExcess());
      }
    }
    const glm::dvec3 speed = (computeCenterOfMass(ragdoll) - before) / seconds;
    out.momentum =
        std::max(out.momentum, glm::length(sumMass(config) * speed - given) / glm::length(given));
  }
  return out;
}

} // namespace

TEST_CASE("reduced coordinates: a blow moves the whole by its impulse, and no joint comes apart") {
  const int rounds = test::rounds(12, 6);
  const AfterBlows coarse = blowsInReducedCoordinates(240.0, rounds);
  const AfterBlows fine = blowsInReducedCoordinates(1920.0, rounds);
  SINEW_FIGURE("momentum off by ", coarse.momentum, ", with eight times as many steps by ",
               fine.momentum);
  // Explicit steps of joint coordinates keep momentum to the first order of the step.
  CHECK(coarse.momentum < 0.1);
  CHECK(fine.momentum < coarse.momentum / 3.0);
  for (const AfterBlows& each : {coarse, fine}) {
    CHECK(each.apart < 1e-9);
    CHECK(each.askew < 1e-6);
    CHECK(each.beyond < 0.05);
    CHECK(each.energy < 1.02);
  }
}

TEST_CASE("reduced coordinates: what hangs on an animated body follows it without a gap") {
  const PhysicsOptions options = physicsWith(JointSolver::reduced);
  for (const char* bone : {"LeftUpperArm", "RightUpperLeg", "Head"}) {
    Falling falling(options, {bone, 0.0});
    double time = 0.4;
    double apart = 0.0;
    for (int i = 0; i < 240; ++i) {
      time += falling.world.stepSeconds();
      falling.ragdoll.follow(walkAt(time));
      falling.world.step();
      for (const JointState& joint : falling.ragdoll.state().joints)
        apart = std::max(apart, joint.errors.position);
    }
    CHECK(apart < 1e-5); // poses are of single precision
    CHECK(falling.ragdoll.state().finite);
  }
}
