#include "animation/layers/expression.h"
#include "animation/layers/procedural.h"
#include "animation/layers/spring_chain.h"
#include "animation/random_model.h"
#include "core/error.h"
#include "core/random.h"
#include "core/test_effort.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <cmath>
#include <string>

using namespace sinew;

namespace {

// A straight chain of bones of length 1 up the y axis.
Hierarchy straight(std::uint32_t joints) {
  Hierarchy hierarchy;
  for (std::uint32_t i = 0; i < joints; ++i)
    hierarchy.nodes.push_back(
        {"joint" + std::to_string(i),
         i == 0 ? kNoNode : i - 1,
         {vec3(0.0f, i == 0 ? 0.0f : 1.0f, 0.0f), quat(1, 0, 0, 0), vec3(1)}});
  return hierarchy;
}

vec3 facing(const Hierarchy& hierarchy, const Pose& pose, std::uint32_t node, const vec3& forward) {
  return glm::normalize(mat3(modelFromNodes(hierarchy, pose)[node]) * forward);
}

float angleBetween(const vec3& a, const vec3& b) {
  return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
}

vec3 findTip(const Hierarchy& hierarchy, const Pose& pose) {
  return {modelFromNodes(hierarchy, pose).back()[3]};
}

} // namespace

TEST_CASE("sine wave: rotates by the formula, and not at weight 0") {
  const Hierarchy hierarchy = straight(5);
  const SineWave wave{{1, 2, 3, 4}, {0, 0, 1}, 0.3f, 2.0f, 0.5f, 0.1f};
  for (double time = 0.0; time < 2.0; time += 0.13) {
    Pose pose = restPose(hierarchy);
    applySineWave(wave, time, 0.5f, pose);
    for (int i = 0; i < 4; ++i) {
      const double angle =
          0.5 * 0.3 * (1.0 + 0.1 * i) * std::sin(2.0 * 3.14159265358979 * 2.0 * time - 0.5 * i);
      const quat& q = pose.parentFromNode[static_cast<std::size_t>(i) + 1].rotation;
      CHECK(2.0 * std::atan2(double{q.z}, double{q.w}) == doctest::Approx(angle).epsilon(1e-4));
    }
    CHECK(pose.parentFromNode[0] == hierarchy.nodes[0].rest);
    Pose none = restPose(hierarchy);
    applySineWave(wave, time, 0.0f, none);
    CHECK(none == restPose(hierarchy));
  }
}

TEST_CASE("breathing: full once a breath, what hangs on the chest keeps its size") {
  Hierarchy hierarchy = straight(4);
  hierarchy.nodes.push_back({"arm", 1, {vec3(1, 0, 0), quat(1, 0, 0, 0), vec3(1)}});
  const Breathing breathing{1, 20.0f, 0.1f, 0.0f, {1, 0, 0}};
  CHECK(breath(0.0, 20.0f) == doctest::Approx(0.0f));
  CHECK(breath(1.2, 20.0f) == doctest::Approx(1.0f)); // two fifths of three seconds
  CHECK(breath(3.0, 20.0f) == doctest::Approx(0.0f));
  Pose pose = restPose(hierarchy);
  applyBreathing(hierarchy, breathing, 1.2, 1.0f, pose);
  const auto model = modelFromNodes(hierarchy, pose);
  CHECK(glm::length(vec3(model[1][0])) == doctest::Approx(1.1f));
  for (const std::size_t node : {2u, 3u, 4u})
    CHECK(glm::length(vec3(model[node][0])) == doctest::Approx(1.0f));
  CHECK(model[4][3].x == doctest::Approx(1.1f)); // the shoulder is carried out
}

TEST_CASE("aim: faces targets within the limit, never exceeds it, and never jumps") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Model model = randomModel(seed);
    const Hierarchy& hierarchy = model.hierarchy;
    const Pose before = randomPose(model, seed);
    // A joint with its parent, as head and neck are.
    std::uint32_t tip = 2 + random.below(15);
    while (hierarchy.nodes[tip].parent == 0 || hierarchy.nodes[tip].parent == kNoNode)
      tip = 2 + random.below(15);
    Aim aim{{hierarchy.nodes[tip].parent, tip}, randomDirection(random), {}, 0.0f};
    aim.maxAngle = random.uniform(0.2f, 2.4f);
    const vec3 first = facing(hierarchy, before, tip, aim.forward);
    const vec3 place(modelFromNodes(hierarchy, before)[tip][3]);
    aim.target = place + 50.0f * randomDirection(random); // so far that the head's own way is none
    Pose pose = before;
    applyAim(hierarchy, aim, 1.0f, pose);
    const vec3 now = facing(hierarchy, pose, tip, aim.forward);
    const float away = angleBetween(first, now);
    CHECK(away < aim.maxAngle + 1e-3f);
    const vec3 wanted = glm::normalize(aim.target - vec3(modelFromNodes(hierarchy, pose)[tip][3]));
    if (angleBetween(first, wanted) < std::min(aim.maxAngle, 2.6f))
      CHECK(angleBetween(now, wanted) < 2e-3f);
    // A target that moves a little moves the look a little, all the way round.
    const vec3 axis = randomDirection(random);
    const vec3 from = glm::normalize(glm::cross(axis, randomDirection(random)));
    vec3 last = aimDirection(first, from, aim.maxAngle);
    for (float angle = 0.01f; angle < 6.3f; angle += 0.01f) {
      const vec3 next = aimDirection(first, glm::angleAxis(angle, axis) * from, aim.maxAngle);
      const float behind = angleBetween(first, glm::angleAxis(angle, axis) * from);
      if (behind < 3.0f) CHECK(angleBetween(last, next) < 0.2f);
      last = next;
    }
  }
}

TEST_CASE("spring chain: at rest in a held pose, whatever the frame rate") {
  const Hierarchy hierarchy = straight(5);
  const SpringChain spring{{1, 2, 3, 4}, 2.0f, 0.3f, vec3(0.0f), 1.4f};
  SpringState state;
  Pose pose;
  for (int frame = 0; frame < 200; ++frame) {
    pose = restPose(hierarchy);
    applySpringChain(hierarchy, spring, 1.0 / 60.0, 1.0f, state, pose);
  }
  for (std::size_t node = 0; node < 5; ++node)
    CHECK(std::abs(pose.parentFromNode[node].rotation.w - 1.0f) < 1e-5f);
}

TEST_CASE("spring chain: lags behind its root, swings, comes to rest; bones keep their length") {
  const Hierarchy hierarchy = straight(5);
  const SpringChain spring{{1, 2, 3, 4}, 2.0f, 0.3f, vec3(0.0f), 1.4f};
  const auto play = [&](double rate, double until) {
    SpringState state;
    Pose pose = restPose(hierarchy);
    applySpringChain(hierarchy, spring, 0.0, 1.0f, state, pose);
    std::vector<vec3> tips;
    const int frames = static_cast<int>(until * rate);
    for (int frame = 0; frame < frames; ++frame) {
      pose = restPose(hierarchy);
      // Pushed aside by 1 within a fifth of a second.
      const auto time = static_cast<float>((frame + 1) / rate);
      const float t = std::min(5.0f * time, 1.0f);
      pose.parentFromNode[0].translation.x = t * t * (3.0f - 2.0f * t);
      applySpringChain(hierarchy, spring, 1.0 / rate, 1.0f, state, pose);
      const auto model = modelFromNodes(hierarchy, pose);
      for (std::size_t node = 2; node < 5; ++node)
        CHECK(glm::length(vec3(model[node][3] - model[node - 1][3])) == doctest::Approx(1.0f));
      tips.push_back(findTip(hierarchy, pose));
    }
    return tips;
  };
  const std::vector<vec3> tips = play(60.0, 6.0);
  CHECK(tips[6].x < 0.4f); // lags: the root is half way
  float highest = 0.0f;
  for (const vec3& tip : tips)
    highest = std::max(highest, tip.x);
  CHECK(highest > 1.02f); // swings over
  CHECK(glm::length(tips.back() - vec3(1, 4, 0)) < 1e-2f);
  // The same way at another frame rate: 240 and 60 a second, seen half a second in.
  CHECK(glm::length(play(240.0, 0.5).back() - play(60.0, 0.5).back()) < 0.05f);
}

TEST_CASE("spring chain: of many bones follows a gentle root gently") {
  constexpr std::uint32_t kBones = 60;
  const Hierarchy hierarchy = straight(kBones);
  for (const float frequency : {2.0f, 6.0f, 30.0f})
    for (const float damping : {0.1f, 0.25f, 1.0f, 3.0f}) {
      CAPTURE(frequency);
      CAPTURE(damping);
      SpringChain spring{{}, frequency, damping, vec3(0.0f), 1.4f};
      for (std::uint32_t node = 1; node < kBones; ++node)
        spring.chain.push_back(node);
      SpringState state;
      for (int frame = 0; frame < test::rounds(600, 120); ++frame) {
        const float time = static_cast<float>(frame) / 60.0f;
        Pose pose = restPose(hierarchy);
        pose.parentFromNode[0].rotation = glm::angleAxis(0.1f * std::sin(time), vec3(0, 0, 1));
        const vec3 posed = findTip(hierarchy, pose);
        applySpringChain(hierarchy, spring, 1.0 / 60.0, 1.0f, state, pose);
        CHECK(glm::distance(findTip(hierarchy, pose), posed) < 4.0f); // the chain's length is 59
        for (std::uint32_t node = 1; node < kBones; ++node)
          CHECK(std::abs(pose.parentFromNode[node].rotation.w) > 0.995f);
      }
    }
}

TEST_CASE("spring chain: violent motion stays finite and within its limit") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Model model = randomModel(seed);
    SpringChain spring;
    spring.chain = {1};
    for (std::uint32_t node = 2; node < model.hierarchy.nodes.size(); ++node)
      if (model.hierarchy.nodes[node].parent == spring.chain.back()) spring.chain.push_back(node);
    spring.frequency = random.uniform(0.2f, 30.0f);
    spring.damping = random.uniform(0.0f, 1.5f);
    spring.gravity = 100.0f * randomDirection(random);
    SpringState state;
    for (std::uint64_t frame = 0; frame < 60; ++frame) {
      const Pose posed = randomPose(model, seed * 100 + frame);
      Pose pose = posed;
      applySpringChain(model.hierarchy, spring, random.uniform(-0.1f, 0.6f), 1.0f, state, pose);
      for (const Transform& local : pose.parentFromNode)
        CHECK(isFinite(local));
    }
  }
}

TEST_CASE("expression: computes, and says what is wrong") {
  CHECK(Expression("-6 * floor(t)").at(2.7) == -12.0);
  CHECK(Expression("sin(2 * pi * t)").at(0.25) == doctest::Approx(1.0));
  CHECK(Expression("mod(t, 2)").at(-0.5) == doctest::Approx(1.5));
  CHECK(Expression("smooth(1, 2, t)").at(1.5) == doctest::Approx(0.5));
  CHECK(Expression("1 / (t - 1)").at(1.0) == 0.0);
  CHECK(Expression("t > 1 ? 2 : 3").at(0.0) == 3.0);
  const Expression first("2 * t");
  Expression copy = first;
  CHECK(copy.at(2.0) == 4.0);
  copy = Expression("3 * t");
  CHECK(copy.at(2.0) == 6.0);
  CHECK(first.at(2.0) == 4.0);
  for (const char* wrong : {"", "2 *", "foo(t)", "x + 1", "(t", "t)"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(Expression{wrong}, Error);
  }
  CHECK_THROWS_AS(Expression{std::string(100000, '(')}, Error);
}
