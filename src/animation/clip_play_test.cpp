#include "animation/clip_play.h"
#include "animation/random_model.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>

using namespace sinew;

namespace {

// Three clips of different lengths, each from one pose to another and back.
Model rig() {
  Model model = randomModel(3);
  const Pose rest = restPose(model.hierarchy);
  for (std::uint64_t k = 0; k < 3; ++k) {
    const float seconds = 0.8f + 0.3f * static_cast<float>(k);
    Clip clip{"c", seconds, {}};
    const Pose a = blend(rest, randomPose(model, 2 * k), 0.3f);
    const Pose b = blend(rest, randomPose(model, 2 * k + 1), 0.3f);
    for (std::uint32_t node = 0; node < model.hierarchy.nodes.size(); ++node) {
      const quat from = a.parentFromNode[node].rotation;
      clip.channels.push_back(
          {node,
           {},
           {{0.0f, 0.5f * seconds, seconds}, {from, b.parentFromNode[node].rotation, from}},
           {}});
    }
    model.clips.push_back(clip);
  }
  return model;
}

float largestMove(const Model& model, const Pose& a, const Pose& b) {
  const auto fromA = modelFromNodes(model.hierarchy, a);
  const auto fromB = modelFromNodes(model.hierarchy, b);
  float largest = 0.0f;
  for (std::size_t i = 0; i < fromA.size(); ++i)
    largest = std::max(largest, glm::distance(vec3(fromA[i][3]), vec3(fromB[i][3])));
  return largest;
}

} // namespace

TEST_CASE("clips chosen one after another, also while fading: no jump, and all go on playing") {
  const Model model = rig();
  CrossFade fade;
  ClipPlayState memory;
  std::uint32_t clip = 0;
  double time = 0.0;
  Pose before;
  const double step = 0.002;
  std::size_t deepest = 0;
  for (int i = 0; i < 1500; ++i) {
    if (i == 300 || i == 400 || i == 450 || i == 1000) {
      FadingClip old;
      old.play = ClipPlay{clip, {}, {}};
      old.ahead = time; // the next starts at 0
      old.seconds = 0.4f;
      old.memory = memory;
      for (FadingClip& each : fade)
        each.ahead += time;
      fade.push_back(old);
      clip = (clip + 1) % 3;
      time = 0.0;
      memory = {};
    }
    Pose pose;
    sample(model, {clip, {}, {}}, time, memory, pose);
    applyFade(model, fade, time, pose);
    if (i > 0) CHECK(largestMove(model, before, pose) < 0.03f);
    before = pose;
    deepest = std::max(deepest, fade.size());
    time += step;
    advanceFade(fade, static_cast<float>(step));
  }
  CHECK(deepest == 3);
  CHECK(fade.empty());
}

TEST_CASE("a fade starts as the old pose and ends as the new one") {
  const Model model = rig();
  FadingClip old;
  old.held = randomPose(model, 9);
  old.seconds = 1.0f;
  CrossFade fade{old};
  const Pose next = randomPose(model, 10);
  Pose pose = next;
  applyFade(model, fade, 0.0, pose);
  CHECK(largestMove(model, pose, old.held) < 1e-5f);
  advanceFade(fade, 0.5f);
  pose = next;
  applyFade(model, fade, 0.0, pose);
  CHECK(largestMove(model, pose, blend(old.held, next, 0.5f)) < 1e-5f);
  advanceFade(fade, 0.5f);
  CHECK(fade.empty());
}
