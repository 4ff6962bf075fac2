#include "animation/random_model.h"
#include "animation/sample.h"
#include "core/error.h"
#include "core/random.h"
#include "model/model.h"
#include "model/scale_model.h"
#include "rig/rig.h"
#include "skinning/methods.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

using namespace sinew;

namespace {

Model withClips(std::initializer_list<const char*> names) {
  Model model;
  for (const char* name : names)
    model.clips.emplace_back().name = name;
  return model;
}

} // namespace

TEST_CASE("clips are found by name, by index, and by an ending that only one has") {
  const Model model = withClips(
      {"HumanArmature|Man_Run", "HumanArmature|Man_Walk", "a|Jump", "b|Jump", "Man_Walk", "1"});
  CHECK(findClip(model, "HumanArmature|Man_Run") == 0);
  CHECK(findClip(model, "Man_Run") == 0);
  CHECK(findClip(model, "man_run") == 0);
  CHECK(findClip(model, "Man_Walk") == 4); // a whole name before an ending
  CHECK(findClip(model, "1") == 5);        // a name before an index
  CHECK(findClip(model, "3") == 3);
  CHECK_THROWS_WITH_AS(findClip(model, "Jump"), doctest::Contains("a|Jump"), Error);
  CHECK_THROWS_AS(findClip(model, "Run"), Error);
  CHECK_THROWS_AS(findClip(model, ""), Error);
  CHECK_THROWS_AS(findClip(withClips({"a|"}), ""), Error);
}

TEST_CASE("a moving camera beside a skeleton alone is no joint") {
  Model model;
  model.hierarchy.nodes = {{"root", kNoNode, {}}, {"hips", 0, {}},   {"spine", 1, {}},
                           {"head", 2, {}},       {"camera", 0, {}}, {"target", 0, {}}};
  Clip clip;
  for (const std::uint32_t node : {1u, 2u, 3u, 4u, 5u})
    clip.channels.push_back({node, {{0.0f}, {vec3(0.0f)}}, {}, {}});
  model.clips.push_back(clip);
  CHECK(jointNodes(model) == std::vector<std::uint32_t>{1, 2, 3});
  model.clips[0].channels.erase(model.clips[0].channels.begin()); // too few to be a skeleton
  CHECK(jointNodes(model) == std::vector<std::uint32_t>{2, 3, 4, 5});
}

namespace {

std::vector<vec3> posed(const Model& model, float time) {
  const Rig rig = buildRig(model);
  const Method& method = findMethod("lbs");
  const Binding binding = method.bind(rig, {});
  const Pose pose = model.clips.empty() ? restPose(model.hierarchy)
                                        : sample(model.hierarchy, model.clips[0], time);
  Palette palette;
  packPalette(method, rig, binding, modelFromNodes(model.hierarchy, pose), palette);
  SkinnedMesh out;
  method.skin(rig, binding, palette, out);
  return out.positions;
}

// The poses of the second model are those of the first, changed.
template <class Change>
void checkChangedPoses(const Model& before, const Model& after, const Change& change) {
  for (const float time : {0.0f, 0.3f, 0.77f, 1.0f}) {
    const std::vector<vec3> own = posed(before, time), changed = posed(after, time);
    REQUIRE(own.size() == changed.size());
    float largest = 0.0f;
    float size = 1.0f;
    for (std::size_t v = 0; v < own.size(); ++v) {
      largest = std::max(largest, glm::distance(change(own[v]), changed[v]));
      size = std::max(size, glm::length(changed[v]));
    }
    CHECK(largest < 1e-5f * size);
  }
}

} // namespace

TEST_CASE("a scaled model has the same poses, scaled") {
  constexpr float kFactor = 2.54f;
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    Model model = randomModel(seed);
    Random random(seed);
    Clip clip{.name = "move", .seconds = 1.0f, .channels = {}};
    for (std::uint32_t node = 0; node < model.hierarchy.nodes.size(); ++node) {
      Channel channel;
      channel.node = node;
      channel.translation = {{0.0f, 1.0f}, {randomDirection(random), randomDirection(random)}};
      if (node % 2 == 1) {
        channel.translation.interpolation = Interpolation::cubic;
        channel.translation.tangents.assign(2, {randomDirection(random), randomDirection(random)});
      }
      clip.channels.push_back(channel);
    }
    model.clips = {clip};
    Model scaled = model;
    scaleModel(scaled, kFactor);
    checkChangedPoses(model, scaled, [](const vec3& p) { return kFactor * p; });
  }
}

TEST_CASE("a rotated model has the same poses, rotated") {
  const quat rotation = glm::angleAxis(1.2f, glm::normalize(vec3(1, -2, 0.5f)));
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    Model model = randomModel(seed);
    Clip clip{.name = "move", .seconds = 1.0f, .channels = {}};
    Channel root;
    root.translation = {{0.0f, 1.0f}, {vec3(0.0f), vec3(1, 2, 3)}};
    root.rotation = {{0.0f, 1.0f}, {quat(1, 0, 0, 0), glm::angleAxis(0.7f, vec3(0, 0, 1))}};
    clip.channels.push_back(root);
    model.clips.insert(model.clips.begin(), clip);
    Model turned = model;
    rotateModel(turned, rotation);
    checkChangedPoses(model, turned, [&](const vec3& p) { return rotation * p; });
  }
}
