#include "animation/clip_edit.h"
#include "animation/clip_keys.h"
#include "animation/random_model.h"
#include "animation/sample.h"
#include "core/random.h"
#include "demo/demo.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace sinew;

namespace {

template <class T>
void checkTrack(const Track<T>& track) {
  CHECK(track.times.size() == track.values.size());
  CHECK(std::ranges::adjacent_find(track.times, std::greater_equal<>()) == track.times.end());
  CHECK(track.tangents.size() ==
        (track.interpolation == Interpolation::cubic ? track.times.size() : 0));
}

void checkHemispheres(const Track<quat>& track) {
  for (std::size_t i = 1; i < track.values.size(); ++i)
    CHECK(glm::dot(track.values[i - 1], track.values[i]) >= 0.0f);
}

} // namespace

TEST_CASE("keys: after any edits the times are those of a set, and every key has its value") {
  Random random(11);
  for (const Interpolation kind :
       {Interpolation::linear, Interpolation::step, Interpolation::cubic}) {
    Track<quat> track;
    std::map<int, quat> wanted; // by hundredths of a second
    for (int edit = 0; edit < 300; ++edit) {
      const int at = static_cast<int>(random.uniform(0, 40));
      const int to = static_cast<int>(random.uniform(0, 40));
      const auto seconds = [](int hundredths) { return 0.01f * static_cast<float>(hundredths); };
      if (edit % 5 == 4) {
        removeKey(track, seconds(at));
        wanted.erase(at);
      } else if (edit % 5 == 3) {
        moveKey(track, seconds(at), seconds(to));
        if (const auto found = wanted.find(at); found != wanted.end()) {
          const quat value = found->second;
          wanted.erase(found);
          wanted[to] = value;
        }
      } else {
        const quat value = randomRotation(random);
        setKey(track, seconds(at), value);
        wanted[at] = value;
      }
      setInterpolation(track, kind);
      checkTrack(track);
      REQUIRE(track.times.size() == wanted.size());
      std::size_t i = 0;
      for (const auto& [time, value] : wanted) {
        CHECK(track.times[i] == doctest::Approx(seconds(time)));
        CHECK(std::abs(glm::dot(track.values[i], value)) == doctest::Approx(1.0f));
        ++i;
      }
      if (kind != Interpolation::cubic) checkHemispheres(track);
    }
  }
}

TEST_CASE("keys: automatic tangents do not overshoot, and chosen ones stay") {
  Random random(12);
  for (int round = 0; round < 20; ++round) {
    Clip clip{"c", 1.0f, {}};
    clip.channels.emplace_back();
    Track<vec3>& track = clip.channels[0].translation;
    for (int i = 0; i < 12; ++i)
      setKey(track, random.uniform(0, 1),
             vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)));
    REQUIRE(track.interpolation == Interpolation::cubic);
    Hierarchy hierarchy;
    hierarchy.nodes.push_back({"node", kNoNode, {}});
    for (std::size_t i = 0; i + 1 < track.times.size(); ++i)
      for (int k = 0; k <= 20; ++k) {
        const float t = static_cast<float>(k) / 20.0f;
        const vec3 value = sample(hierarchy, clip, glm::mix(track.times[i], track.times[i + 1], t))
                               .parentFromNode[0]
                               .translation;
        for (int c = 0; c < 3; ++c) {
          CHECK(value[c] >= std::min(track.values[i][c], track.values[i + 1][c]) - 1e-5f);
          CHECK(value[c] <= std::max(track.values[i][c], track.values[i + 1][c]) + 1e-5f);
        }
      }
    // One that somebody has chosen is kept when its neighbour changes.
    const std::array<vec3, 2> chosen{vec3(1, 2, 3), vec3(4, 5, 6)};
    track.tangents[2] = chosen;
    setKey(track, track.times[3], vec3(0.5f));
    CHECK(track.tangents[2] == chosen);
    const float from = track.times[2];
    const float to = 0.5f * (track.times[1] + track.times[2]);
    moveKey(track, from, to);
    CHECK(track.tangents[*keyAt(track, to)] == chosen);
  }
}

TEST_CASE("keys: what differs between two poses is keyed, and sampled there again") {
  const Model model = findDemo("humanoid").make();
  Random random(13);
  const Clip walk = model.clips.front();
  for (int round = 0; round < 10; ++round) {
    Clip clip = walk;
    const float time = random.uniform(0.0f, clip.seconds);
    const Pose shown = sample(model, clip, time);
    Pose edited = shown;
    std::set<std::uint32_t> nodes;
    for (int i = 0; i < 3; ++i) {
      const auto node = static_cast<std::uint32_t>(
          random.uniform(0, static_cast<float>(model.hierarchy.nodes.size()) - 0.01f));
      nodes.insert(node);
      edited.parentFromNode[node].rotation = randomRotation(random);
      edited.parentFromNode[node].translation += vec3(0.1f);
    }
    CHECK(keyDifferences(clip, model, shown, edited, time) == nodes.size());
    const Pose now = sample(model, clip, time);
    for (std::uint32_t n = 0; n < model.hierarchy.nodes.size(); ++n) {
      CHECK(glm::distance(now.parentFromNode[n].translation, edited.parentFromNode[n].translation) <
            1e-4f);
      CHECK(std::abs(glm::dot(now.parentFromNode[n].rotation, edited.parentFromNode[n].rotation)) >
            1.0f - 1e-5f);
    }
    for (const std::uint32_t node : nodes)
      CHECK(removeKeys(clip, node, time));
    CHECK_FALSE(removeKeys(clip, *nodes.begin(), time));
  }
  Clip empty{"new", 1.0f, {}};
  CHECK(keyDifferences(empty, model, restPose(model), restPose(model), 0.0f) == 0);
  CHECK(empty.channels.empty());
}

TEST_CASE("keys: a joint's key moves with all its parts, and the last one takes the channel") {
  const Model model = findDemo("humanoid").make();
  Clip clip{"new", 1.0f, {}};
  Pose pose = restPose(model);
  pose.parentFromNode[3].translation += vec3(1.0f);
  keyNode(clip, model, pose, 3, 0.25f);
  REQUIRE(findChannel(clip, 3));
  CHECK(findChannel(clip, 3)->scale.times.empty());
  CHECK(moveKeys(clip, 3, 0.25f, 0.75f));
  CHECK(findChannel(clip, 3)->rotation.times == std::vector<float>{0.75f});
  CHECK(findChannel(clip, 3)->translation.times == std::vector<float>{0.75f});
  setInterpolation(clip, 3, ChannelPart::rotation, Interpolation::step);
  CHECK(findChannel(clip, 3)->rotation.interpolation == Interpolation::step);
  CHECK(findChannel(clip, 3)->translation.interpolation == Interpolation::cubic);
  CHECK(removeKeys(clip, {}, 0.75f));
  CHECK_FALSE(clip.moves());
}
