#include "animation/ik/ik.h"
#include "animation/pose_edit.h"
#include "animation/random_model.h"
#include "core/random.h"
#include "core/test_effort.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <cmath>

using namespace sinew;

namespace {

// A chain of `bones` bones of random lengths and directions under a turned, moved root.
Hierarchy randomChain(Random& random, std::uint32_t bones) {
  Hierarchy hierarchy;
  hierarchy.nodes.push_back(
      {"base", kNoNode, {randomDirection(random), randomRotation(random), vec3(1.0f)}});
  for (std::uint32_t i = 0; i <= bones; ++i) {
    const vec3 bone = random.uniform(0.3f, 1.0f) * randomDirection(random);
    hierarchy.nodes.push_back(
        {"joint" + std::to_string(i), i, {bone, randomRotation(random), vec3(1.0f)}});
  }
  return hierarchy;
}

JointLimit randomLimit(Random& random) {
  const vec3 axis = randomDirection(random);
  if (random.below(3) == 0)
    return HingeLimit{axis, random.uniform(-2.5f, 0.0f), random.uniform(0.0f, 2.5f)};
  return UniversalLimit{axis, random.uniform(0.1f, 2.0f), random.uniform(0.3f, 2.0f)};
}

JointLimits randomLimits(Random& random, const Hierarchy& hierarchy) {
  JointLimits limits(hierarchy.nodes.size());
  for (JointLimit& limit : limits)
    if (random.below(5) != 0) limit = randomLimit(random);
  return limits;
}

// Applies the limit of one joint of the pose.
void applyLimit(const Hierarchy& hierarchy, const JointLimits& limits, std::uint32_t node,
                Pose& pose) {
  if (node >= limits.size() || std::holds_alternative<std::monostate>(limits[node])) return;
  const quat fromRest = rotationFromRest(hierarchy, pose, node);
  const quat limited = limitedRotation(fromRest, limits[node]);
  if (limited != fromRest) setRotationFromRest(hierarchy, pose, node, limited);
}

Pose randomAllowedPose(Random& random, const Hierarchy& hierarchy, const JointLimits& limits) {
  Pose pose = restPose(hierarchy);
  for (std::uint32_t node = 1; node < hierarchy.nodes.size(); ++node) {
    setRotationFromRest(hierarchy, pose, node, randomRotation(random));
    applyLimit(hierarchy, limits, node, pose);
  }
  return pose;
}

float worstExcess(const Hierarchy& hierarchy, const JointLimits& limits, const Pose& pose) {
  float worst = 0.0f;
  for (std::uint32_t node = 1; node < limits.size(); ++node)
    worst = std::max(worst, limitExcess(rotationFromRest(hierarchy, pose, node), limits[node]));
  return worst;
}

vec3 getPosition(const Hierarchy& hierarchy, const Pose& pose, std::size_t node) {
  return {modelFromNodes(hierarchy, pose)[node][3]};
}

std::vector<std::uint32_t> wholeChain(const Hierarchy& hierarchy) {
  std::vector<std::uint32_t> chain;
  for (std::uint32_t node = 1; node < hierarchy.nodes.size(); ++node)
    chain.push_back(node);
  return chain;
}

} // namespace

TEST_CASE("joint limits: a limited rotation is allowed, an allowed one stays bit for bit") {
  Random random(3);
  int cut = 0;
  for (int i = 0; i < 20000; ++i) {
    CAPTURE(i);
    const JointLimit limit = randomLimit(random);
    const quat rotation = randomRotation(random);
    const quat held = limitedRotation(rotation, limit);
    CHECK(limitExcess(held, limit) < 5e-6f);
    CHECK(std::abs(glm::length(held) - 1.0f) < 1e-5f);
    CHECK(limitedRotation(held, limit) == held);
    if (limitExcess(rotation, limit) == 0.0f)
      CHECK(held == rotation);
    else
      ++cut;
  }
  CHECK(cut > 10000);
}

TEST_CASE("joint limits: bend and twist make the rotation, and the bend is perpendicular") {
  Random random(4);
  for (int i = 0; i < 2000; ++i) {
    const quat rotation = randomRotation(random);
    const vec3 direction = randomDirection(random);
    const BendAndTwist parts = bendAndTwist(rotation, direction);
    const quat whole = parts.bend * glm::angleAxis(parts.angle, direction);
    CHECK(std::abs(std::abs(glm::dot(whole, rotation)) - 1.0f) < 1e-5f);
    CHECK(std::abs(glm::dot(vec3(parts.bend.x, parts.bend.y, parts.bend.z), direction)) < 1e-4f);
  }
}

TEST_CASE("two-bone inverse kinematics: reaches what the lengths allow, with the pole's side") {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Hierarchy hierarchy = randomChain(random, 2);
    Pose pose = randomAllowedPose(random, hierarchy, {});
    const vec3 root = getPosition(hierarchy, pose, 1);
    const float upper = glm::length(getPosition(hierarchy, pose, 2) - root);
    const float lower =
        glm::length(getPosition(hierarchy, pose, 3) - getPosition(hierarchy, pose, 2));
    const float reach = random.uniform(std::abs(upper - lower) + 0.02f, upper + lower - 0.02f);
    const vec3 target = root + reach * randomDirection(random);
    const vec3 pole = root + 3.0f * randomDirection(random);
    const quat wanted = randomRotation(random);
    const IkResult result =
        solveTwoBone(hierarchy, {}, {1, 2, 3}, {target, wanted}, pole, 1.0f, pose);
    CHECK(result.error < 1e-4f);
    CHECK(glm::length(getPosition(hierarchy, pose, 3) - target) < 1e-4f);
    // The middle lies in the plane of root, target and pole, on the pole's side.
    const vec3 line = glm::normalize(target - root);
    const auto sideways = [&](const vec3& p) { return p - root - glm::dot(p - root, line) * line; };
    const vec3 elbow = sideways(getPosition(hierarchy, pose, 2));
    CHECK(glm::dot(glm::normalize(elbow), glm::normalize(sideways(pole))) > 0.999f);
    const quat tip = glm::quat_cast(mat3(modelFromNodes(hierarchy, pose)[3]));
    CHECK(std::abs(glm::dot(tip, wanted)) > 0.9999f);
  }
}

TEST_CASE("two-bone inverse kinematics: out of reach it stretches, and stays finite") {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    const Hierarchy hierarchy = randomChain(random, 2);
    Pose pose = randomAllowedPose(random, hierarchy, {});
    const vec3 root = getPosition(hierarchy, pose, 1);
    const float upper = glm::length(getPosition(hierarchy, pose, 2) - root);
    const float lower =
        glm::length(getPosition(hierarchy, pose, 3) - getPosition(hierarchy, pose, 2));
    const float far = i % 3 == 0 ? 0.0f : upper + lower + random.uniform(0.0f, 5.0f);
    const vec3 target = root + far * randomDirection(random);
    const auto pole = i % 2 == 0 ? std::optional<vec3>(target) : std::nullopt; // on the line
    const IkResult result = solveTwoBone(hierarchy, {}, {1, 2, 3}, {target, {}}, pole, 1.0f, pose);
    const float nearest = far > 0.0f ? far - upper - lower : std::abs(upper - lower);
    CHECK(result.error < nearest + 1e-3f);
    for (const Transform& local : pose.parentFromNode)
      CHECK(isFinite(local));
  }
}

TEST_CASE("two-bone inverse kinematics: a hinge bends about its axis only and within its angles") {
  int reached = 0, tried = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Hierarchy hierarchy = randomChain(random, 2);
    JointLimits limits(4);
    limits[2] = HingeLimit{randomDirection(random), random.uniform(-2.5f, 0.0f),
                           random.uniform(0.0f, 2.5f)};
    // A target that some allowed pose has.
    const Pose there = randomAllowedPose(random, hierarchy, limits);
    const vec3 target = getPosition(hierarchy, there, 3);
    Pose pose = randomAllowedPose(random, hierarchy, limits);
    solveTwoBone(hierarchy, limits, {1, 2, 3}, {target, {}}, {}, 1.0f, pose);
    ++tried;
    if (glm::length(getPosition(hierarchy, pose, 3) - target) < 1e-3f) ++reached;
    CHECK(worstExcess(hierarchy, limits, pose) < 1e-5f);
  }
  CHECK(reached == tried); // the root rotates freely, so all are within reach
}

TEST_CASE("chain inverse kinematics: reaches every target a free chain can reach") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Hierarchy hierarchy = randomChain(random, 3 + random.below(8));
    const Pose there = randomAllowedPose(random, hierarchy, {});
    const std::uint32_t tip = static_cast<std::uint32_t>(hierarchy.nodes.size()) - 1;
    const vec3 target = getPosition(hierarchy, there, tip);
    Pose pose = randomAllowedPose(random, hierarchy, {});
    const auto chain = wholeChain(hierarchy);
    const float length = chainLength(hierarchy, pose, chain);
    const IkResult result = solveChain(hierarchy, {}, chain, {target, {}}, 1.0f, pose);
    CHECK(result.error < 1e-3f * length);
    CHECK(glm::length(getPosition(hierarchy, pose, tip) - target) < 1e-3f * length);
  }
}

TEST_CASE("chain inverse kinematics: never leaves the limits, and reaches targets within them") {
  int reached = 0, rounds = 0;
  const int tried = test::rounds(8000, 1600);
  for (int seed = 1; seed <= tried; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Hierarchy hierarchy = randomChain(random, 3 + random.below(6));
    const JointLimits limits = randomLimits(random, hierarchy);
    const Pose there = randomAllowedPose(random, hierarchy, limits);
    const std::uint32_t tip = static_cast<std::uint32_t>(hierarchy.nodes.size()) - 1;
    const vec3 target = getPosition(hierarchy, there, tip);
    Pose pose = randomAllowedPose(random, hierarchy, limits);
    const auto chain = wholeChain(hierarchy);
    const float length = chainLength(hierarchy, pose, chain);
    const IkResult result = solveChain(hierarchy, limits, chain, {target, {}}, 1.0f, pose);
    rounds += result.rounds;
    CHECK(worstExcess(hierarchy, limits, pose) < 1e-5f);
    if (glm::length(getPosition(hierarchy, pose, tip) - target) < 1e-3f * length) ++reached;
  }
  SINEW_FIGURE("reached ", reached, " of ", tried, ", rounds a solve ", rounds / tried);
  CHECK(reached >= tried - tried / 320);
}

TEST_CASE("chain inverse kinematics: the chain extends towards far targets") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Hierarchy hierarchy = randomChain(random, 4);
    Pose pose = randomAllowedPose(random, hierarchy, {});
    const auto chain = wholeChain(hierarchy);
    const float length = chainLength(hierarchy, pose, chain);
    const vec3 target = getPosition(hierarchy, pose, 1) + 2.0f * length * randomDirection(random);
    const IkResult result = solveChain(hierarchy, {}, chain, {target, {}}, 1.0f, pose);
    CHECK(result.error < 1.05f * length);
  }
}

TEST_CASE("inverse kinematics: weight 0 leaves an allowed pose, and weights go all the way") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Hierarchy hierarchy = randomChain(random, 4);
    const JointLimits limits = randomLimits(random, hierarchy);
    const Pose before = randomAllowedPose(random, hierarchy, limits);
    const vec3 target = 2.0f * randomDirection(random);
    const auto chain = wholeChain(hierarchy);
    Pose none = before, half = before, whole = before;
    solveChain(hierarchy, limits, chain, {target, {}}, 0.0f, none);
    solveChain(hierarchy, limits, chain, {target, {}}, 0.5f, half);
    solveChain(hierarchy, limits, chain, {target, {}}, 1.0f, whole);
    for (std::size_t node = 0; node < before.parentFromNode.size(); ++node)
      CHECK(std::abs(glm::dot(none.parentFromNode[node].rotation,
                              before.parentFromNode[node].rotation)) > 0.999999f);
    CHECK(worstExcess(hierarchy, limits, half) < 1e-5f);
    CHECK(worstExcess(hierarchy, limits, whole) < 1e-5f);
  }
}

TEST_CASE("inverse kinematics: helper nodes move with their parents") {
  Hierarchy hierarchy;
  const auto add = [&](const char* name, std::uint32_t parent, const vec3& at) {
    hierarchy.nodes.push_back({name, parent, {at, quat(1, 0, 0, 0), vec3(1.0f)}});
  };
  add("root", kNoNode, vec3(0.0f));
  add("shoulder", 0, {0, 1, 0});
  add("twist", 1, {0.5f, 0, 0});
  add("elbow", 2, {0.5f, 0, 0});
  add("hand", 3, {1, 0, 0});
  Pose pose = restPose(hierarchy);
  const vec3 target(0.7f, 1.2f, 0.9f);
  const IkResult result =
      solveTwoBone(hierarchy, {}, {1, 3, 4}, {target, {}}, vec3(0, 5, 0), 1.0f, pose);
  CHECK(result.error < 1e-5f);
  CHECK(glm::length(getPosition(hierarchy, pose, 4) - target) < 1e-5f);
  CHECK(pose.parentFromNode[2] == hierarchy.nodes[2].rest);
  CHECK(std::abs(getPosition(hierarchy, pose, 3).y - 1.0f) > 0.05f); // the straight arm has bent
}
