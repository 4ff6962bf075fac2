#include "core/error.h"
#include "physics/ragdoll_test_tools.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>

using namespace sinew;
using namespace sinew::test;

TEST_CASE("at the switch the bones are where the animation has them") {
  for (const double time : {0.1, 0.4, 0.8})
    CHECK(poseDifference(Falling({}, {}, time).ragdoll.pose(), walkAt(time)) < 2e-5f);
}

TEST_CASE("the switch keeps the animation's energy, linear and angular") {
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

TEST_CASE("where a pose is far from what joints allow, they still only remove energy") {
  const auto elbow = *findNode(humanoid().hierarchy, "RightLowerArm");
  const auto twistedAt = [&](double time) {
    Pose pose = walkAt(time);
    Transform& t = pose.parentFromNode[elbow];
    // A quarter turn and more about the forearm, and back and forth across the hinge's axis.
    t.rotation = t.rotation * glm::angleAxis(2.0f, vec3(0, 1, 0)) *
                 glm::angleAxis(static_cast<float>(0.6 * std::sin(9.0 * time)), vec3(1, 0, 0)) *
                 glm::angleAxis(static_cast<float>(1.5 * std::sin(7.0 * time)), vec3(0, 0, 1));
    return pose;
  };
  PhysicsWorld world({});
  Ragdoll ragdoll(world, humanoid(), fitted());
  double turned = 0.0;
  for (double time = 0.01; time < 1.0; time += 0.01) {
    const double step = world.stepSeconds();
    const RagdollSwitch s = ragdoll.start(twistedAt(time - step), twistedAt(time), step);
    CHECK(s.jointedEnergy < 1.001 * s.animationEnergy);
    CHECK(s.bodiesEnergy == doctest::Approx(s.animationEnergy).epsilon(0.05));
    turned = std::max(turned, s.turned);
  }
  CHECK(glm::degrees(turned) > 60.0);
}

TEST_CASE("limbs that overlap in an animation do not fly apart") {
  // The arm through belly and hips into the other thigh.
  Pose pose = restPose(humanoid().hierarchy);
  Transform& arm = pose.parentFromNode[*findNode(humanoid().hierarchy, "RightUpperArm")];
  arm.rotation = arm.rotation * glm::angleAxis(2.2f, vec3(0, 0, 1));
  for (const JointSolver solver : kJointSolvers) {
    PhysicsWorld world(physicsWith(solver));
    Ragdoll ragdoll(world, humanoid(), fitted());
    ragdoll.start(pose, pose, world.stepSeconds());
    const double given = ragdoll.state().potential;
    double largest = 0.0;
    double apart = 0.0;
    for (int i = 0; i < 480; ++i) {
      world.step();
      const RagdollState state = ragdoll.state();
      largest = std::max(largest, state.kinetic + state.potential);
      for (const JointState& joint : state.joints)
        apart = std::max(apart, joint.errors.position);
    }
    CHECK(largest < 1.01 * given);
    CHECK(apart < 0.01 * ragdoll.height());
  }
}

TEST_CASE("where an animation jumps, what falls moves with it") {
  for (const JointSolver solver : kJointSolvers) {
    Falling falling(physicsWith(solver), {"RightUpperArm", 0.0});
    const auto root = *findNode(humanoid().hierarchy, "Hips");
    const auto animated = [&](const vec3& at, float turned) {
      Pose pose = walkAt(0.4);
      Transform& t = pose.parentFromNode[root];
      t.translation = glm::angleAxis(turned, vec3(0, 1, 0)) * t.translation + at;
      t.rotation = glm::angleAxis(turned, vec3(0, 1, 0)) * t.rotation;
      return pose;
    };
    const auto follow = [&](const Pose& pose, int steps) {
      for (int i = 0; i < steps; ++i) {
        falling.ragdoll.follow(pose);
        falling.world.step();
      }
    };
    follow(animated(vec3(0.0f), 0.0f), 960);
    const std::size_t hand = findBody(fitted(), "RightHand");
    const std::size_t chest = findBody(fitted(), "Chest");
    const auto hangs = [&] {
      return inverse(falling.ragdoll.body(chest)) * falling.ragdoll.body(hand);
    };
    const RigidTransform before = hangs();
    follow(animated(vec3(1.5f, 0.0f, -2.0f), 1.2f), 1);
    CHECK(glm::length(hangs().position - before.position) < 0.01);
    double apart = 0.0;
    for (int i = 0; i < 240; ++i) {
      follow(animated(vec3(1.5f, 0.0f, -2.0f), 1.2f), 1);
      for (const JointState& joint : falling.ragdoll.state().joints)
        apart = std::max(apart, joint.errors.position);
    }
    CHECK(apart < 0.003);
    CHECK(falling.ragdoll.state().fastest < 0.5);
  }
}

TEST_CASE("partial ragdoll: an arm falls, the rest follows the animation") {
  for (const JointSolver solver : kJointSolvers) {
    Falling falling(physicsWith(solver), {"RightUpperArm", 0.0});
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

TEST_CASE("a bone without a body of its own makes fall what is below it, not what contains it") {
  RagdollConfig config = fitted();
  // The upper arm as a small bone of the chest, to which the forearm is then attached.
  const std::size_t arm = findBody(config, "RightUpperArm");
  config.bodies.erase(config.bodies.begin() + static_cast<std::ptrdiff_t>(arm));
  config.bodies[findBody(config, "Chest")].merged.emplace_back("RightUpperArm");
  std::erase_if(config.joints, [](const RagdollJoint& j) { return j.child == "RightUpperArm"; });
  for (RagdollJoint& joint : config.joints)
    if (joint.parent == "RightUpperArm") joint.parent = "Chest";
  PhysicsWorld world({});
  Ragdoll ragdoll(world, humanoid(), config);
  const Pose walk = walkAt(0.4);
  ragdoll.start(walk, walk, world.stepSeconds(), {"RightUpperArm", 0.0});
  const RigidTransform head = ragdoll.body(findBody(config, "Head"));
  const RigidTransform forearm = ragdoll.body(findBody(config, "RightLowerArm"));
  for (int i = 0; i < 240; ++i) {
    ragdoll.follow(walk);
    world.step();
  }
  CHECK(glm::length(ragdoll.body(findBody(config, "Head")).position - head.position) < 1e-6);
  CHECK(glm::length(ragdoll.body(findBody(config, "RightLowerArm")).position - forearm.position) >
        0.01);
}

TEST_CASE("stronger drives pull closer to the animation") {
  for (const JointSolver solver : kJointSolvers) {
    const auto off = [&](double strength) {
      Falling falling(physicsWith(solver), {"", strength});
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

TEST_CASE("the cross-fade ends at the animation") {
  Falling falling;
  falling.run(300);
  const Pose ragdoll = falling.ragdoll.pose();
  CHECK(poseDifference(crossFade(ragdoll, walkAt(0.2), 0.0), ragdoll) < 1e-6f);
  CHECK(poseDifference(crossFade(ragdoll, walkAt(0.2), 1.0), walkAt(0.2)) < 1e-6f);
}
