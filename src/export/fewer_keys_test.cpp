#include "animation/pose.h"
#include "animation/sample.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "export/fewer_keys.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

std::size_t keyCount(const Clip& clip) {
  std::size_t count = 0;
  for (const Channel& channel : clip.channels)
    count += channel.translation.times.size() + channel.rotation.times.size() +
             channel.scale.times.size();
  return count;
}

// Largest distance of any vertex, at moments between keys.
float largestMove(const Model& model, const Clip& one, const Clip& other, float begin, float end) {
  constexpr int kMoments = 173;
  float largest = 0.0f;
  for (int i = 0; i < kMoments; ++i) {
    const float time =
        glm::mix(begin, end, static_cast<float>(i) / static_cast<float>(kMoments - 1));
    const auto a = modelFromNodes(model.hierarchy, sample(model, one, time));
    const auto b = modelFromNodes(model.hierarchy, sample(model, other, time));
    for (const Mesh& mesh : model.meshes)
      for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        if (!mesh.skin) {
          largest =
              std::max(largest, glm::distance(transformPoint(a[mesh.node], mesh.positions[v]),
                                              transformPoint(b[mesh.node], mesh.positions[v])));
          continue;
        }
        vec3 difference(0.0f);
        for (const Influence& influence : mesh.influences.of(v)) {
          const SkinJoint& joint = model.skins[*mesh.skin].joints[influence.joint];
          difference += influence.weight *
                        (transformPoint(a[joint.node] * joint.jointFromBind, mesh.positions[v]) -
                         transformPoint(b[joint.node] * joint.jointFromBind, mesh.positions[v]));
        }
        largest = std::max(largest, glm::length(difference));
      }
  }
  return largest;
}

float largestMove(const Model& model, const Clip& one, const Clip& other) {
  return largestMove(model, one, other, 0.0f, one.seconds);
}

} // namespace

TEST_CASE("fewer keys: vertices stay within the limit at any moment, and clips keep their length" *
          doctest::skip(test::kSanitized)) {
  const Model model = findDemo("humanoid").make();
  REQUIRE_FALSE(model.clips.empty());
  std::size_t before = 0, after = 0;
  for (const double limit : {1e-4, 2e-3}) {
    const FewerKeys fewer = fewerKeys(model, limit);
    REQUIRE(fewer.clips.size() == model.clips.size());
    CHECK(fewer.error <= limit);
    const std::size_t last = after;
    after = 0;
    for (std::size_t c = 0; c < model.clips.size(); ++c) {
      CAPTURE(model.clips[c].name);
      CHECK(fewer.clips[c].seconds == model.clips[c].seconds);
      float end = 0.0f;
      for (const Channel& channel : fewer.clips[c].channels)
        for (const auto* times :
             {&channel.translation.times, &channel.rotation.times, &channel.scale.times})
          if (!times->empty()) end = std::max(end, times->back());
      CHECK(end == doctest::Approx(model.clips[c].seconds));
      // The moments are others than those that were measured, and all vertices are looked at.
      CHECK(static_cast<double>(largestMove(model, model.clips[c], fewer.clips[c])) <=
            1.05 * limit * nodeReach(model).size);
      before += keyCount(model.clips[c]);
      after += keyCount(fewer.clips[c]);
    }
    CHECK(after < before);
    if (last > 0) CHECK(after < last);
    before = 0;
  }
}

TEST_CASE("fewer keys: a twitch of all joints of a chain within a long clip is no further off" *
          doctest::skip(test::kSanitized)) {
  Model model = findDemo("tentacle").make();
  Clip clip;
  clip.seconds = 40.0f;
  for (const SkinJoint& joint : model.skins.front().joints) {
    Channel& channel = clip.channels.emplace_back();
    channel.node = joint.node;
    channel.rotation.interpolation = Interpolation::linear;
    const quat rest = model.hierarchy.nodes[joint.node].rest.rotation;
    for (int i = 0; i <= 4800; ++i) {
      const float time = static_cast<float>(i) / 120.0f;
      const float angle = 0.004f * std::exp(-std::pow((time - 20.5f) / 0.03f, 2.0f));
      channel.rotation.times.push_back(time);
      channel.rotation.values.push_back(rest * glm::angleAxis(angle, vec3(1, 0, 0)));
    }
  }
  model.clips = {clip};
  const double limit = 2e-3;
  const Clip fewer = fewerKeys(model, limit).clips.front();
  CHECK(keyCount(fewer) < keyCount(clip));
  CHECK(static_cast<double>(largestMove(model, clip, fewer, 20.3f, 20.7f)) <=
        1.02 * limit * nodeReach(model).size);
}

TEST_CASE("fewer keys: still tracks are one key or none, cubic ones become straight") {
  Model model = findDemo("arm").make();
  Clip clip;
  clip.seconds = 2.0f;
  const std::uint32_t root = 0, joint = model.skins.front().joints.back().node;
  Channel still;
  still.node = root;
  still.translation.times = {0.0f, 1.0f, 2.0f};
  still.translation.values.assign(3, model.hierarchy.nodes[root].rest.translation);
  still.scale.times = {0.0f, 2.0f};
  still.scale.values.assign(2, 1.5f * model.hierarchy.nodes[root].rest.scale);
  clip.channels.push_back(still);
  Channel bent;
  bent.node = joint;
  bent.rotation.interpolation = Interpolation::cubic;
  for (int i = 0; i <= 60; ++i) {
    const float time = static_cast<float>(i) / 30.0f;
    bent.rotation.times.push_back(time);
    bent.rotation.values.push_back(glm::angleAxis(std::sin(time), vec3(0, 0, 1)));
    const quat slope = 0.5f * std::cos(time) * quat(0, 0, 0, 1) * bent.rotation.values.back();
    bent.rotation.tangents.push_back({slope, slope});
  }
  if (joint != root) clip.channels.push_back(bent);
  model.clips = {clip};
  const Clip fewer = fewerKeys(model, 1e-3).clips.front();
  REQUIRE(fewer.channels.size() == 2);
  CHECK(fewer.channels[0].translation.times.empty());
  CHECK(fewer.channels[0].scale.times.size() == 1);
  CHECK(fewer.channels[1].rotation.interpolation == Interpolation::linear);
  CHECK(fewer.channels[1].rotation.times.size() < 61);
  CHECK(fewer.channels[1].rotation.times.back() == 2.0f);

  model.clips.front().channels.resize(1); // nothing moves any more
  model.clips.front().channels[0].scale = {};
  const Clip length = fewerKeys(model, 1e-3).clips.front();
  CHECK(length.channels[0].translation.times.back() == 2.0f);
}

TEST_CASE("fewer keys: without a permitted error poses are the same") {
  const Model model = findDemo("humanoid").make();
  const FewerKeys fewer = fewerKeys(model, 0.0);
  for (std::size_t c = 0; c < model.clips.size(); ++c)
    CHECK(largestMove(model, model.clips[c], fewer.clips[c]) < 1e-6f);
}

} // namespace sinew
