#include "animation/sample.h"
#include "core/error.h"
#include "core/test_support.h"
#include "demo/demo.h"
#include "physics/fit_ragdoll.h"
#include "physics/ragdoll.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <functional>

using namespace sinew;

namespace {

const Model& humanoid() {
  static const Model model = findDemo("humanoid").make();
  return model;
}

const RagdollConfig& fitted() {
  static const RagdollConfig config = fitRagdoll(humanoid(), buildRig(humanoid()));
  return config;
}

Pose walkAt(double time) {
  return sample(humanoid().hierarchy, humanoid().clips[1], static_cast<float>(time));
}

std::size_t bodyOf(const RagdollConfig& config, const std::string& bone) {
  for (std::size_t i = 0; i < config.bodies.size(); ++i)
    if (config.bodies[i].bone == bone) return i;
  throw std::runtime_error("no body " + bone);
}

// A ragdoll that falls out of the walk, in a world of its own.
struct Falling {
  PhysicsWorld world;
  Ragdoll ragdoll;
  RagdollSwitch switched;

  explicit Falling(const PhysicsOptions& options = {}, const RagdollStart& start = {},
                   double time = 0.4)
      : world(options), ragdoll(world, humanoid(), fitted()) {
    const double step = world.stepSeconds();
    switched = ragdoll.start(walkAt(time - step), walkAt(time), step, start);
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i)
      world.step();
  }
};

PhysicsOptions with(JointSolver solver) {
  PhysicsOptions options;
  options.solver = solver;
  return options;
}

constexpr JointSolver kSolvers[] = {JointSolver::bullet, JointSolver::severity};

float poseDifference(const Pose& a, const Pose& b) {
  const auto x = modelFromNodes(humanoid().hierarchy, a);
  const auto y = modelFromNodes(humanoid().hierarchy, b);
  float largest = 0.0f;
  for (std::size_t i = 0; i < x.size(); ++i)
    largest = std::max(largest, test::largestDifference(x[i], y[i]));
  return largest;
}

} // namespace

TEST_CASE("at the switch the bones stand as the animation has them") {
  for (const double time : {0.1, 0.4, 0.8})
    CHECK(poseDifference(Falling({}, {}, time).ragdoll.pose(), walkAt(time)) < 2e-5f);
}

TEST_CASE("bones follow their bodies, with what hangs on them") {
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
  // A finger has no body; it keeps its place to the hand.
  const auto finger = *findNode(humanoid().hierarchy, "LeftFingers");
  CHECK(pose.parentFromNode[finger] == walkAt(0.4).parentFromNode[finger]);
}

TEST_CASE("the same start gives the same hash after 600 steps") {
  for (const JointSolver solver : kSolvers) {
    Falling a(with(solver));
    Falling b(with(solver));
    Falling other(with(solver), {}, 0.41);
    a.run(600);
    b.run(600);
    other.run(600);
    CHECK(a.ragdoll.hash() == b.ragdoll.hash());
    CHECK(a.ragdoll.pose() == b.ragdoll.pose());
    CHECK(a.ragdoll.hash() != other.ragdoll.hash());
  }
}

TEST_CASE("the switch carries the animation's energy over, of moving and of turning") {
  for (const double time : {0.1, 0.3, 0.5, 0.7, 0.9}) {
    const RagdollSwitch s = Falling({}, {}, time).switched;
    CHECK(s.animationEnergy > 1.0);
    CHECK(s.bodiesEnergy == doctest::Approx(s.animationEnergy).epsilon(0.05));
    CHECK(s.speedScale == doctest::Approx(1.0).epsilon(0.05)); // hardly anything to make up for
  }
  // The whole figure spins about the upright axis: energy of turning alone. In closed form each
  // body's is that of its circle and of its own spin.
  PhysicsWorld world({});
  Ragdoll ragdoll(world, humanoid(), fitted());
  Pose before = restPose(humanoid().hierarchy);
  Pose now = before;
  const double step = world.stepSeconds();
  const double speed = 3.0;
  const auto root = *findNode(humanoid().hierarchy, "Hips");
  before.parentFromNode[root].rotation =
      glm::angleAxis(static_cast<float>(-speed * step), vec3(0, 1, 0)) *
      before.parentFromNode[root].rotation;
  const RagdollSwitch s = ragdoll.start(before, now, step);
  double circles = 0.0;
  for (std::size_t i = 0; i < fitted().bodies.size(); ++i) {
    const glm::dvec3 p = ragdoll.body(i).position - ragdoll.body(0).position;
    circles += 0.5 * static_cast<double>(fitted().bodies[i].mass) * speed * speed *
               (p.x * p.x + p.z * p.z);
  }
  CHECK(s.bodiesEnergy > 1.02 * circles);
  CHECK(s.bodiesEnergy == doctest::Approx(s.animationEnergy).epsilon(0.01));
}

TEST_CASE("without a ground the whole falls as one, and its joints hold") {
  for (const JointSolver solver : kSolvers) {
    PhysicsOptions options = with(solver);
    options.ground = false;
    PhysicsWorld world(options);
    RagdollConfig config = fitted();
    config.linearDamping = config.angularDamping = 0.0f;
    Ragdoll ragdoll(world, humanoid(), config);
    const Pose pose = walkAt(0.4);
    ragdoll.start(pose, pose, world.stepSeconds());
    const auto center = [&] {
      glm::dvec3 sum(0.0);
      double mass = 0.0;
      for (std::size_t i = 0; i < config.bodies.size(); ++i) {
        sum += static_cast<double>(config.bodies[i].mass) * ragdoll.body(i).position;
        mass += static_cast<double>(config.bodies[i].mass);
      }
      return sum / mass;
    };
    const glm::dvec3 before = center();
    for (int i = 0; i < 480; ++i)
      world.step();
    const glm::dvec3 fallen = center() - before;
    CHECK(fallen.y == doctest::Approx(-0.5 * 9.81).epsilon(0.005));
    CHECK(std::abs(fallen.x) + std::abs(fallen.z) < 0.01);
    for (const JointState& joint : ragdoll.state().joints)
      CHECK(joint.errors.position < 1e-3);
  }
}

TEST_CASE("a model of any unit falls the same way") {
  Model big = humanoid();
  constexpr float kScale = 100.0f;
  const mat4 grow = matrixOf(Transform{vec3(0), quat(1, 0, 0, 0), vec3(kScale)});
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

TEST_CASE("partly a ragdoll: an arm falls, the rest goes on") {
  for (const JointSolver solver : kSolvers) {
    Falling falling(with(solver), {"RightUpperArm", 0.0});
    double time = 0.4;
    for (int i = 0; i < 480; ++i) {
      time += falling.world.stepSeconds();
      falling.ragdoll.follow(walkAt(time));
      falling.world.step();
    }
    const Pose pose = falling.ragdoll.pose();
    const Pose walk = walkAt(time);
    const auto a = modelFromNodes(humanoid().hierarchy, pose);
    const auto b = modelFromNodes(humanoid().hierarchy, walk);
    for (const char* bone : {"Hips", "LeftHand", "Head", "RightFoot"}) {
      const auto node = *findNode(humanoid().hierarchy, bone);
      CHECK(test::largestDifference(a[node], b[node]) < 1e-5f);
    }
    const auto hand = *findNode(humanoid().hierarchy, "RightHand");
    CHECK(glm::length(vec3(a[hand][3] - b[hand][3])) > 0.01f);
    for (const JointState& joint : falling.ragdoll.state().joints)
      CHECK(joint.errors.position < 0.003);
  }
  CHECK_THROWS_AS(Falling({}, {"Tail", 0.0}), Error);
}

TEST_CASE("drives pull towards the animation, the more the stronger") {
  for (const JointSolver solver : kSolvers) {
    const auto off = [&](double strength) {
      Falling falling(with(solver), {"", strength});
      const Pose held = restPose(humanoid().hierarchy);
      for (int i = 0; i < 720; ++i) {
        falling.ragdoll.follow(held);
        falling.world.step();
      }
      // How far the limbs are turned from the pose, whichever way the whole lies.
      const Pose pose = falling.ragdoll.pose();
      double sum = 0.0;
      for (const char* bone : {"LeftLowerLeg", "RightLowerLeg", "LeftLowerArm", "RightUpperArm"}) {
        const auto node = *findNode(humanoid().hierarchy, bone);
        sum += std::acos(std::min(1.0f, std::abs(glm::dot(pose.parentFromNode[node].rotation,
                                                          held.parentFromNode[node].rotation))));
      }
      return sum;
    };
    CHECK(off(1.0) < 0.25 * off(0.0));
  }
}

TEST_CASE("a dragged hand comes to where it is pulled") {
  Falling falling;
  const std::size_t hand = bodyOf(fitted(), "LeftHand");
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

TEST_CASE("a ball knocks it over, and walls keep it in") {
  PhysicsOptions options;
  PhysicsWorld world(options);
  Ragdoll ragdoll(world, humanoid(), fitted());
  const Pose rest = restPose(humanoid().hierarchy);
  ragdoll.start(rest, rest, world.stepSeconds());
  world.addWall({0, 0, 1}, -0.6);
  const glm::dvec3 chest = ragdoll.body(bodyOf(fitted(), "Chest")).position;
  world.addBall(0.15, 20.0, chest + glm::dvec3(0, 0, 1.5), {0, 0, -15});
  double behind = 0.0;
  double through = 0.0;
  for (int i = 0; i < 960; ++i) {
    world.step();
    for (std::size_t b = 0; b < fitted().bodies.size(); ++b)
      through = std::min(through, ragdoll.body(b).position.z + 0.6);
    behind = std::min(behind, ragdoll.body(bodyOf(fitted(), "Chest")).position.z);
  }
  CHECK(behind < chest.z - 0.2);
  CHECK(through > -0.02);
  CHECK(world.ball(0).position.z > -0.6);
  CHECK(ragdoll.state().finite);
}

TEST_CASE("crossing back ends at the animation") {
  Falling falling;
  falling.run(300);
  const Pose ragdoll = falling.ragdoll.pose();
  CHECK(poseDifference(crossFade(ragdoll, walkAt(0.2), 0.0), ragdoll) < 1e-6f);
  CHECK(poseDifference(crossFade(ragdoll, walkAt(0.2), 1.0), walkAt(0.2)) < 1e-6f);
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
