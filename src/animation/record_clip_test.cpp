#include "animation/record_clip.h"
#include "animation/sample.h"
#include "demo/random_model.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

using namespace sinew;

TEST_CASE("poses recorded and sampled at their frames are the same") {
  const Model model = randomModel(8);
  std::vector<Pose> poses;
  for (std::uint64_t i = 0; i < 12; ++i)
    poses.push_back(randomPose(model, i, {.nonUniformScale = true}));
  const Clip clip = recordClip("c", model.hierarchy, poses, 24.0f);
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

TEST_CASE("what stays at rest has no track, and what stays elsewhere one key") {
  const Model model = randomModel(9);
  Pose pose = restPose(model.hierarchy);
  CHECK(recordClip("c", model.hierarchy, std::vector{pose, pose}, 30.0f).channels.empty());
  pose.parentFromNode[3].translation.x += 1.0f;
  const Clip clip = recordClip("c", model.hierarchy, std::vector{pose, pose, pose}, 30.0f);
  REQUIRE(clip.channels.size() == 1);
  CHECK(clip.channels[0].node == 3);
  CHECK(clip.channels[0].translation.times.size() == 1);
  CHECK(clip.channels[0].rotation.times.empty());
}
