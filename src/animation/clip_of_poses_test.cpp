#include "animation/clip_of_poses.h"
#include "animation/sample.h"
#include "demo/demo.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

using namespace sinew;

TEST_CASE("a clip of poses gives the poses back") {
  const Model model = findDemo("humanoid").make();
  std::vector<Pose> poses;
  poses.reserve(30);
  for (int i = 0; i < 30; ++i)
    poses.push_back(sample(model.hierarchy, model.clips[1], static_cast<float>(i) / 30.0f));
  const Clip clip = clipOfPoses(model.hierarchy, "walked", poses, 30.0);
  CHECK(clip.name == "walked");
  CHECK(clip.seconds == doctest::Approx(29.0 / 30.0));
  for (int i = 0; i < 30; ++i) {
    const Pose pose = sample(model.hierarchy, clip, static_cast<float>(i) / 30.0f);
    for (std::size_t n = 0; n < pose.parentFromNode.size(); ++n) {
      const Transform& a = pose.parentFromNode[n];
      const Transform& b = poses[static_cast<std::size_t>(i)].parentFromNode[n];
      CHECK(glm::length(a.translation - b.translation) < 1e-6f);
      CHECK(std::abs(glm::dot(a.rotation, b.rotation)) > 1.0f - 1e-6f);
    }
  }
}

TEST_CASE("what stays at rest has no channel, what stays elsewhere one key") {
  Hierarchy hierarchy;
  for (const char* name : {"rests", "moves", "stands"})
    hierarchy.nodes.push_back({name, hierarchy.nodes.empty() ? kNoNode : std::uint32_t{0}, {}});
  std::vector<Pose> poses(4, restPose(hierarchy));
  for (std::size_t i = 0; i < poses.size(); ++i) {
    poses[i].parentFromNode[1].translation.x = static_cast<float>(i);
    poses[i].parentFromNode[2].translation.y = 2.0f;
  }
  const Clip clip = clipOfPoses(hierarchy, "still", poses, 10.0);
  REQUIRE(clip.channels.size() == 2);
  CHECK(clip.channels[0].node == 1);
  CHECK(clip.channels[0].translation.times.size() == 4);
  CHECK(clip.channels[0].rotation.times.empty());
  CHECK(clip.channels[1].node == 2);
  CHECK(clip.channels[1].translation.times.size() == 1);
}

TEST_CASE("rotations keep to the near side") {
  Hierarchy hierarchy;
  hierarchy.nodes.push_back({"root", kNoNode, {}});
  std::vector<Pose> poses(3, restPose(hierarchy));
  poses[1].parentFromNode[0].rotation = glm::normalize(quat(-0.9f, -0.1f, 0.0f, 0.0f));
  poses[2].parentFromNode[0].rotation = glm::normalize(quat(0.8f, 0.2f, 0.0f, 0.0f));
  const Clip clip = clipOfPoses(hierarchy, "turn", poses, 10.0);
  REQUIRE(clip.channels.size() == 1);
  const auto& values = clip.channels[0].rotation.values;
  for (std::size_t i = 1; i < values.size(); ++i)
    CHECK(glm::dot(values[i - 1], values[i]) > 0.0f);
}
