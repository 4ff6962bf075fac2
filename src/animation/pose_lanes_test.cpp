#include "animation/clip_keys.h"
#include "animation/pose_lanes.h"
#include "animation/random_model.h"
#include "core/test_effort.h"
#include "core/test_instructions.h"
#include "core/test_support.h"
#include "skinning/bone_palette.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace sinew;

namespace {

// Each track has times of its own, of which the first may be late.
std::vector<float> randomTimes(Random& random) {
  std::vector<float> times;
  float time = random.uniform() < 0.5f ? 0.0f : random.uniform(0.0f, 1.0f);
  const std::uint32_t count = 1 + random.below(12);
  for (std::uint32_t i = 0; i < count; ++i) {
    times.push_back(time);
    time += random.uniform(0.01f, 0.4f);
  }
  return times;
}

Interpolation randomInterpolation(Random& random) {
  const std::uint32_t dice = random.below(6);
  return dice == 0 ? Interpolation::step : dice == 1 ? Interpolation::cubic : Interpolation::linear;
}

template <class T>
void addTangents(Track<T>& track, const T& tangent) {
  if (track.interpolation == Interpolation::cubic)
    track.tangents.assign(track.times.size(), {tangent, -tangent});
}

Track<vec3> randomVectors(Random& random, const vec3& around, float range) {
  Track<vec3> track{randomTimes(random), {}, randomInterpolation(random)};
  for (std::size_t i = 0; i < track.times.size(); ++i)
    track.values.push_back(around + range * vec3(random.uniform(-1.0f, 1.0f),
                                                 random.uniform(-1.0f, 1.0f),
                                                 random.uniform(-1.0f, 1.0f)));
  addTangents(track, vec3(0.3f * range));
  return track;
}

// From a few degrees from key to key to more than a right angle.
Track<quat> randomRotations(Random& random) {
  Track<quat> track{randomTimes(random), {}, randomInterpolation(random)};
  const float widest = std::array{0.0f, 0.1f, 0.4f, 1.5f, 3.0f}[random.below(5)];
  quat rotation = randomRotation(random);
  for (std::size_t i = 0; i < track.times.size(); ++i) {
    track.values.push_back(rotation);
    rotation = glm::normalize(rotation *
                              glm::angleAxis(widest * random.uniform(), randomDirection(random)));
    if (glm::dot(rotation, track.values.back()) < 0.0f) rotation = -rotation;
  }
  addTangents(track, quat(0.1f, 0.2f, -0.1f, 0.3f));
  return track;
}

Clip randomClip(const Model& model, Random& random, bool scales) {
  Clip clip{"random", 0.0f, {}};
  for (std::uint32_t i = 0; i < model.hierarchy.nodes.size(); ++i) {
    if (random.uniform() < 0.2f) continue;
    const vec3 rest = model.hierarchy.nodes[i].rest.translation;
    Channel channel{i, {}, {}, {}};
    if (random.uniform() < 0.4f) channel.translation = randomVectors(random, rest, 0.2f);
    if (random.uniform() < 0.9f) channel.rotation = randomRotations(random);
    if (scales && random.uniform() < 0.3f) channel.scale = randomVectors(random, vec3(1), 0.3f);
    clip.channels.push_back(std::move(channel));
  }
  for (const float time : keyTimes(clip))
    clip.seconds = std::max(clip.seconds, time + random.uniform(0.0f, 0.1f));
  return clip;
}

// In double precision.
glm::dvec3 exactValue(const Track<vec3>& track, float time, const vec3& rest) {
  if (track.times.empty()) return rest;
  std::uint32_t key = findKey(track.times, time, 0);
  if (track.interpolation != Interpolation::linear || time <= track.times[key] ||
      key + 1 == track.times.size())
    return valueAt(track, time, key);
  const double t0 = track.times[key];
  const double t = (time - t0) / (track.times[key + 1] - t0);
  return glm::mix(glm::dvec3(track.values[key]), glm::dvec3(track.values[key + 1]), t);
}

glm::dquat exactValue(const Track<quat>& track, float time, const quat& rest) {
  if (track.times.empty()) return rest;
  std::uint32_t key = findKey(track.times, time, 0);
  if (track.interpolation != Interpolation::linear || time <= track.times[key] ||
      key + 1 == track.times.size())
    return valueAt(track, time, key);
  const double t0 = track.times[key];
  const double t = (time - t0) / (track.times[key + 1] - t0);
  const auto a = glm::normalize(glm::dquat(track.values[key]));
  const auto b = glm::normalize(glm::dquat(track.values[key + 1]));
  const double angle = std::acos(std::min(glm::dot(a, b), 1.0));
  if (angle < 1e-7) return a;
  return (a * std::sin((1.0 - t) * angle) + b * std::sin(t * angle)) / std::sin(angle);
}

std::vector<glm::dmat4> exactModelFromNodes(const Model& model, const Clip& clip, float time) {
  std::vector<Channel> channels(model.hierarchy.nodes.size());
  for (const Channel& channel : clip.channels)
    channels[channel.node] = channel;
  std::vector<glm::dmat4> out;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const Node& node = model.hierarchy.nodes[i];
    glm::dmat4 m = glm::mat4_cast(exactValue(channels[i].rotation, time, node.rest.rotation));
    const glm::dvec3 scale = exactValue(channels[i].scale, time, node.rest.scale);
    for (int c = 0; c < 3; ++c)
      m[c] *= scale[c];
    m[3] = {exactValue(channels[i].translation, time, node.rest.translation), 1.0};
    out.push_back(node.parent == kNoNode ? m : out[node.parent] * m);
  }
  return out;
}

double largestDifference(const mat4& a, const glm::dmat4& b) {
  double largest = 0.0;
  for (int c = 0; c < 4; ++c)
    for (int r = 0; r < 4; ++r)
      largest = std::max(largest, std::abs(static_cast<double>(a[c][r]) - b[c][r]));
  return largest;
}

// Largest differences of an entry, as shares of the largest entry, and sums of the differences of
// matrices.
struct Differences {
  double lanes = 0.0;   // F by lanes against double precision
  double alone = 0.0;   // F by sample() and modelFromNodes() against double precision
  double palette = 0.0; // the two palettes against each other
  double lanesSum = lanes, aloneSum = alone;

  void include(const Differences& other) {
    lanes = std::max(lanes, other.lanes);
    alone = std::max(alone, other.alone);
    palette = std::max(palette, other.palette);
    lanesSum += other.lanesSum;
    aloneSum += other.aloneSum;
  }
};

Differences compare(const Model& model, const Rig& rig, const Clip& clip, const ClipLanes& lanes,
                    std::array<float, kLanes> times, LaneCursor& cursor) {
  Differences out;
  PoseLanes pose;
  poseLanes(lanes, times, cursor, pose);
  const std::size_t rows = 3 * rig.joints.size();
  std::vector<vec4> own(kLanes * rows), expected(rows);
  std::array<std::span<vec4>, kLanes> rowsByLane;
  for (std::size_t l = 0; l < kLanes; ++l)
    rowsByLane[l] = std::span(own).subspan(l * rows, rows);
  const bool uneven = packBoneLanes(rig, pose, true, rowsByLane);
  bool expectedUneven = false;
  std::vector<mat4> taken;
  for (std::size_t l = 0; l < kLanes; ++l) {
    const std::vector<mat4> f =
        modelFromNodes(model.hierarchy, sample(model.hierarchy, clip, times[l], Wrap::loop));
    const std::vector<glm::dmat4> exact = exactModelFromNodes(model, clip, pose.times[l]);
    takeLane(pose, l, taken);
    REQUIRE(taken.size() == f.size());
    double size = 1.0;
    for (const mat4& each : f)
      size = std::max(size, largestDifference(each, glm::dmat4(0.0)));
    for (std::size_t i = 0; i < f.size(); ++i)
      out.include({largestDifference(taken[i], exact[i]) / size,
                   largestDifference(f[i], exact[i]) / size, 0.0});
    expectedUneven |= packBoneMatrices(rig, {}, f, expected);
    for (std::size_t r = 0; r < rows; ++r)
      for (int k = 0; k < 4; ++k)
        out.include(
            {0.0, 0.0, static_cast<double>(std::abs(rowsByLane[l][r][k] - expected[r][k])) / size});
  }
  CHECK(uneven == expectedUneven);
  return out;
}

} // namespace

TEST_CASE("eight characters side by side are posed and packed as each alone") {
  Differences all;
  for (int seed = 1; seed <= test::rounds(300, 40); ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Model model = randomModel(static_cast<std::uint64_t>(seed), {.vertices = 10});
    const Rig rig = buildRig(model);
    const Clip clip = randomClip(model, random, seed % 3 == 0);
    const ClipLanes lanes = prepareLanes(model.hierarchy, clip);
    const std::vector<float> keys = keyTimes(clip);
    LaneCursor cursor;
    for (int round = 0; round < 20; ++round) {
      std::array<float, kLanes> times{};
      for (float& time : times)
        time = round % 2 == 0 && !keys.empty()
                   ? keys[random.below(static_cast<std::uint32_t>(keys.size()))]
                   : random.uniform(-1.0f, 2.0f * clip.seconds + 1.0f);
      all.include(compare(model, rig, clip, lanes, times, cursor));
    }
  }
  SINEW_FIGURE("from double precision: " << all.lanes << ", each alone " << all.alone
                                         << "; palettes from one another: " << all.palette
                                         << "; sums " << all.lanesSum / all.aloneSum);
  // The sums are over all matrices: the largest of each may be that of any chain of twenty joints,
  // where rounding alone exceeds 1e-6.
  CHECK(all.lanesSum <= all.aloneSum);
  CHECK(all.lanes <= 2e-6);
  CHECK(all.palette <= 4e-6); // both have rounding of their own
}

TEST_CASE("where all tracks have the same key times, those moments have the same bits") {
  for (int seed = 1; seed <= 20; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Model model = randomModel(static_cast<std::uint64_t>(seed), {.vertices = 10});
    Clip clip = randomClip(model, random, true);
    const std::vector<float> times{0.0f, 0.3f, 0.4f, 1.0f};
    for (Channel& channel : clip.channels) {
      const auto shorten = [&](auto& track) {
        if (track.times.empty()) return;
        track.times = times;
        track.values.resize(4, track.values.back());
        if (!track.tangents.empty()) track.tangents.resize(4, track.tangents.back());
      };
      shorten(channel.translation);
      shorten(channel.rotation);
      shorten(channel.scale);
    }
    clip.seconds = 1.5f;
    const ClipLanes lanes = prepareLanes(model.hierarchy, clip);
    CHECK(lanes.lines.size() <= 1);
    LaneCursor cursor;
    PoseLanes pose;
    std::vector<mat4> taken;
    for (const std::int64_t kind : test::instructionKinds()) {
      CAPTURE(kind);
      const test::WithInstructions instructions(kind);
      poseLanes(lanes, std::array{0.4f, 0.0f, 1.0f, 0.3f, 0.3f, 1.0f, 0.4f, 0.0f}, cursor, pose);
      for (std::size_t l = 0; l < kLanes; ++l) {
        takeLane(pose, l, taken);
        CHECK(taken ==
              modelFromNodes(model.hierarchy, sample(model.hierarchy, clip, pose.times[l])));
      }
    }
  }
}

TEST_CASE("poses and palettes have the same bits by all kinds of vector instructions") {
  for (int seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Model model = randomModel(static_cast<std::uint64_t>(seed), {.vertices = 10});
    const Rig rig = buildRig(model);
    const ClipLanes lanes = prepareLanes(model.hierarchy, randomClip(model, random, seed % 2 == 0));
    std::array<float, kLanes> times{};
    for (float& time : times)
      time = random.uniform(0.0f, 2.0f);
    std::vector<vec4> expected;
    for (const std::int64_t kind : test::instructionKinds()) {
      CAPTURE(kind);
      const test::WithInstructions instructions(kind);
      LaneCursor cursor;
      PoseLanes pose;
      poseLanes(lanes, times, cursor, pose);
      const std::size_t each = 3 * rig.joints.size();
      std::vector<vec4> own(kLanes * each);
      std::array<std::span<vec4>, kLanes> rows;
      for (std::size_t l = 0; l < kLanes; ++l)
        rows[l] = std::span(own).subspan(l * each, each);
      packBoneLanes(rig, pose, true, rows);
      if (expected.empty()) expected = own;
      CHECK(own == expected);
    }
  }
}

TEST_CASE("tracks that only have noise are held still at their middle") {
  for (int seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Model model = randomModel(static_cast<std::uint64_t>(seed), {.vertices = 10});
    Clip clip{"noise", 1.0f, {}};
    for (std::uint32_t i = 0; i < model.hierarchy.nodes.size(); ++i) {
      Channel channel{i, {}, {}, {}};
      const vec3 at = model.hierarchy.nodes[i].rest.translation;
      channel.translation = {{0.0f, 1.0f}, {at, at * (1.0f + 0.9f * kStillNoise)}};
      channel.scale = {{0.0f, 1.0f}, {vec3(1.0f), vec3(1.0f - 0.9f * kStillNoise)}};
      quat rotation = randomRotation(random);
      channel.rotation = {{0.0f, 1.0f}, {rotation, rotation}};
      channel.rotation.values[1].x += 0.9f * kStillRotation;
      if (i % 2 == 0) {
        channel.rotation.interpolation = Interpolation::cubic;
        const quat tangent(0.0f, 0.9f * kStillRotation, 0.0f, 0.0f);
        channel.rotation.tangents.assign(2, {tangent, -tangent});
      }
      clip.channels.push_back(std::move(channel));
    }
    const ClipLanes lanes = prepareLanes(model.hierarchy, clip, ClipNoise::held);
    double length = 0.0; // at least that of the longest chain
    for (const NodeLanes& node : lanes.nodes) {
      CHECK(!node.moves);
      length += static_cast<double>(glm::length(node.still.translation));
    }
    const double bound = (kStillNoise + 4.0 * kStillRotation) * (1.0 + length);
    for (const float time : {0.0f, 0.4f, 1.0f}) {
      const std::vector<mat4> f =
          modelFromNodes(model.hierarchy, sample(model.hierarchy, clip, time, Wrap::clamp));
      for (std::size_t i = 0; i < f.size(); ++i)
        CHECK(largestDifference(lanes.nodes[i].modelFromNode, glm::dmat4(f[i])) <=
              bound * static_cast<double>(f.size()));
    }
    for (Channel& channel : clip.channels)
      channel.rotation.values[1].x += 3.0f * kStillRotation;
    for (const NodeLanes& node : prepareLanes(model.hierarchy, clip, ClipNoise::held).nodes)
      CHECK(node.rotation.track != LaneTrack::still);
  }
}

TEST_CASE("no joint scales unevenly where the bound of a clip says that none does") {
  int even = 0;
  for (int seed = 1; seed <= 60; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Model model = randomModel(static_cast<std::uint64_t>(seed), {.vertices = 10});
    Clip clip = randomClip(model, random, true);
    const float noise = std::array{0.0f, 1e-6f, 1e-4f, 0.3f}[random.below(4)];
    for (Channel& channel : clip.channels)
      if (channel.scale.interpolation != Interpolation::cubic)
        for (vec3& value : channel.scale.values)
          value = vec3(random.uniform(0.5f, 1.5f)) * (1.0f + noise * random.uniform()) +
                  vec3(noise * random.uniform(), 0, 0);
    const ClipLanes lanes = prepareLanes(model.hierarchy, clip, ClipNoise::held);
    for (int i = 0; i < 5; ++i) {
      const std::vector<mat4> f =
          modelFromNodes(model.hierarchy, sample(model.hierarchy, clip, random.uniform(0, 3)));
      for (std::size_t n = 0; n < f.size(); ++n) {
        even += lanes.nodes[n].unevenness < 3e-5f ? 1 : 0;
        // And what rounding adds.
        CHECK(measureUnevenness(mat3(f[n])) <= lanes.nodes[n].unevenness + 1e-5f);
      }
    }
  }
  CHECK(even > 100);
}
