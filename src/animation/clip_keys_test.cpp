#include "animation/clip_keys.h"
#include "animation/random_model.h"
#include "animation/sample.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <cmath>

using namespace sinew;

TEST_CASE("keys of a clip and of one joint, and the frames they make") {
  Clip clip{"c", 1.0f, {}};
  CHECK(keyTimes(clip).empty());
  CHECK(frameSeconds(clip) == doctest::Approx(1.0 / 30.0));
  clip.channels.push_back({3, {{-0.5f, 0.0f, 0.5f}, {{}, {}, {}}}, {}, {}});
  clip.channels.push_back({4, {}, {}, {{0.0f, 1.0f}, {{}, {}}}});
  CHECK(keyTimes(clip) == std::vector<float>{0.0f, 0.5f, 1.0f});
  CHECK(keyTimes(clip, 4u) == std::vector<float>{0.0f, 1.0f});
  CHECK(keyTimes(clip, 5u).empty());
  CHECK(frameSeconds(clip) == doctest::Approx(1.0 / 30.0)); // half seconds are no frames
  clip.channels.push_back({5, {}, {}, {}});
  for (int i = 0; i < 120; ++i) {
    clip.channels[2].translation.times.push_back(static_cast<float>(i) / 120.0f);
    clip.channels[2].translation.values.emplace_back(0.0f);
  }
  CHECK(frameSeconds(clip) == doctest::Approx(1.0 / 120.0).epsilon(1e-3));
}

TEST_CASE("steps and curves get times between their keys, of which linear keys can be made") {
  Clip clip;
  clip.channels.resize(2);
  clip.channels[0].translation = {{0, 1}, {vec3(0), vec3(1)}, Interpolation::step};
  CHECK(linearKeyTimes(clip) == std::vector<float>{0, std::nextafter(1.0f, 0.0f), 1});
  clip.channels[1].scale = {{0, 8}, {vec3(1), vec3(1)}, Interpolation::cubic, {{}, {}}};
  CHECK(linearKeyTimes(clip).size() == 10);
  CHECK(keyTimes(clip) == std::vector<float>{0, 1, 8});
}

TEST_CASE("poses recorded and sampled at their frames are the same") {
  const Model model = randomModel(8);
  std::vector<Pose> poses;
  for (std::uint64_t i = 0; i < 12; ++i)
    poses.push_back(randomPose(model, i, {.nonUniformScale = true}));
  const Clip clip = recordClip(model, "c", poses, 24.0);
  CHECK(clip.seconds == doctest::Approx(11.0 / 24.0));
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const Pose sampled = sample(model.hierarchy, clip, static_cast<float>(i) / 24.0f);
    for (std::size_t node = 0; node < sampled.parentFromNode.size(); ++node) {
      const Transform& a = sampled.parentFromNode[node];
      const Transform& b = poses[i].parentFromNode[node];
      CHECK(glm::distance(a.translation, b.translation) < 1e-6f);
      CHECK(std::abs(glm::dot(a.rotation, b.rotation)) > 1.0f - 1e-6f);
      CHECK(glm::distance(a.scale, b.scale) < 1e-6f);
    }
  }
}

TEST_CASE("no poses, or poses at rest, make a clip without channels") {
  const Model model = randomModel(9);
  const Pose rest = restPose(model.hierarchy);
  CHECK(recordClip(model, "c", std::vector{rest, rest}, 30.0).channels.empty());
  CHECK(recordClip(model, "c", {}, 30.0).channels.empty());
}

TEST_CASE("a node at rest has no channel, one that holds another value one key") {
  Model model;
  Hierarchy& hierarchy = model.hierarchy;
  for (const char* name : {"rests", "moves", "stands"})
    hierarchy.nodes.push_back({name, hierarchy.nodes.empty() ? kNoNode : std::uint32_t{0}, {}});
  std::vector<Pose> poses(4, restPose(hierarchy));
  for (std::size_t i = 0; i < poses.size(); ++i) {
    poses[i].parentFromNode[1].translation.x = static_cast<float>(i);
    poses[i].parentFromNode[2].translation.y = 2.0f;
  }
  const Clip clip = recordClip(model, "still", poses, 10.0);
  REQUIRE(clip.channels.size() == 2);
  CHECK(clip.channels[0].node == 1);
  CHECK(clip.channels[0].translation.times.size() == 4);
  CHECK(clip.channels[0].rotation.times.empty());
  CHECK(clip.channels[1].node == 2);
  CHECK(clip.channels[1].translation.times.size() == 1);
}

TEST_CASE("recorded rotations stay on one hemisphere") {
  Model model;
  Hierarchy& hierarchy = model.hierarchy;
  hierarchy.nodes.push_back({"root", kNoNode, {}});
  std::vector<Pose> poses(3, restPose(hierarchy));
  poses[1].parentFromNode[0].rotation = glm::normalize(quat(-0.9f, -0.1f, 0.0f, 0.0f));
  poses[2].parentFromNode[0].rotation = glm::normalize(quat(0.8f, 0.2f, 0.0f, 0.0f));
  const Clip clip = recordClip(model, "c", poses, 10.0);
  REQUIRE(clip.channels.size() == 1);
  const auto& values = clip.channels[0].rotation.values;
  for (std::size_t i = 1; i < values.size(); ++i)
    CHECK(glm::dot(values[i - 1], values[i]) > 0.0f);
}

TEST_CASE("morph weights are recorded as nodes are") {
  Model model;
  model.hierarchy.nodes.push_back({"root", kNoNode, {}});
  model.morphTargets = {{"rests", 0.25f}, {"moves", 0.0f}, {"stands", 0.0f}};
  std::vector<Pose> poses(4, restPose(model));
  for (std::size_t i = 0; i < poses.size(); ++i) {
    poses[i].morphWeights[1] = static_cast<float>(i);
    poses[i].morphWeights[2] = 2.0f;
  }
  const Clip clip = recordClip(model, "c", poses, 10.0);
  REQUIRE(clip.morphs.size() == 2);
  CHECK(clip.morphs[0].target == 1);
  CHECK(clip.morphs[0].weight.values == std::vector<float>{0.0f, 1.0f, 2.0f, 3.0f});
  CHECK(clip.morphs[1].target == 2);
  CHECK(clip.morphs[1].weight.values == std::vector<float>{2.0f});
}

TEST_CASE("twists are recorded and played, beyond half a rotation") {
  const Model model = randomModel(10);
  const Pose rest = restPose(model.hierarchy);
  std::vector<Pose> poses(5, rest);
  for (std::size_t i = 1; i < poses.size(); ++i)
    setTwistAt(poses[i], 3, 4.0f * static_cast<float>(i));
  const Clip clip = recordClip(model, "twist", poses, 10.0);
  CHECK(clip.channels.empty());
  REQUIRE(clip.twists.size() == 1);
  CHECK(clip.moves());
  for (std::size_t i = 0; i < poses.size(); ++i)
    CHECK(twistAt(sample(model, clip, static_cast<float>(i) / 10.0f), 3) ==
          doctest::Approx(twistAt(poses[i], 3)));
  CHECK(twistAt(sample(model, clip, 0.25f), 3) == doctest::Approx(10.0f));
  CHECK(keyTimes(clip).size() == 5);
  CHECK(keyTimes(clip, 2).empty());
  // Another clip leaves no twist of this one behind.
  SampleCursor cursor;
  Pose pose = poses[4];
  sample(model, Clip{"none", 1.0f, {}}, 0.5f, Wrap::loop, cursor, pose);
  CHECK(pose.twists.empty());
}
