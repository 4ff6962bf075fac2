#include "animation/random_model.h"
#include "core/random.h"
#include "core/test_effort.h"
#include "weights/classical_weights.h"

#include <doctest/doctest.h>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

using namespace sinew;

namespace {

vec3 anyPoint(Random& random, float reach) {
  return {random.uniform(-reach, reach), random.uniform(-reach, reach),
          random.uniform(-reach, reach)};
}

// A chain with branches, some bones without length.
std::vector<BoneSegment> anyBones(Random& random) {
  std::vector<BoneSegment> bones{{anyPoint(random, 1), anyPoint(random, 1)}};
  for (std::uint32_t i = random.below(8); i > 0; --i) {
    const BoneSegment& before = bones[random.below(static_cast<std::uint32_t>(bones.size()))];
    const vec3 from = random.below(6) == 0 ? anyPoint(random, 1) : before.to;
    bones.push_back({from, random.below(8) == 0 ? from : from + anyPoint(random, 0.6f)});
  }
  return bones;
}

float shareOfBone(const std::vector<Influence>& weights, std::uint32_t bone) {
  for (const Influence& w : weights)
    if (w.joint == bone) return w.weight;
  return 0.0f;
}

// Every way to weigh one point, of bones and of points about them.
using Weigh = std::function<std::vector<Influence>(const vec3&, const std::vector<BoneSegment>&,
                                                   const std::vector<vec3>&)>;
const std::vector<Weigh>& allWays() {
  static const std::vector<Weigh> kAll{
      [](const vec3& p, const std::vector<BoneSegment>& bones, const std::vector<vec3>& skin) {
        return envelopeWeights(p, bones, skinRadii(skin, bones), {});
      },
      [](const vec3& p, const std::vector<BoneSegment>& bones, const std::vector<vec3>&) {
        return nearestBoneWeights(p, bones, 4.0f);
      },
      [](const vec3& p, const std::vector<BoneSegment>& bones, const std::vector<vec3>&) {
        return bonesBlendingWeights(p, bones, precedingBones(bones), 0.5f);
      }};
  return kAll;
}

std::uint32_t findNearest(const std::vector<BoneSegment>& bones, const vec3& p) {
  const auto distance = [&](const BoneSegment& b) { return glm::length(nearestPoint(b, p) - p); };
  return static_cast<std::uint32_t>(
      std::min_element(
          bones.begin(), bones.end(),
          [&](const BoneSegment& a, const BoneSegment& b) { return distance(a) < distance(b); }) -
      bones.begin());
}

// Three bones along x, of lengths 2, 1 and 2.
const std::vector<BoneSegment> kChain{
    {{0, 0, 0}, {2, 0, 0}}, {{2, 0, 0}, {3, 0, 0}}, {{3, 0, 0}, {5, 0, 0}}};

} // namespace

TEST_CASE("classical weights: they sum to 1, are positive, and move with the bones") {
  for (int seed = 1; seed <= test::rounds(400, 60); ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const std::vector<BoneSegment> bones = anyBones(random);
    std::vector<vec3> skin(40);
    for (vec3& p : skin)
      p = anyPoint(random, 1.2f);
    const glm::quat rotation = glm::normalize(
        glm::quat(random.uniform(-1, 1), anyPoint(random, 1.0f) + vec3(0, 0, 1e-3f)));
    const float scale = std::pow(10.0f, random.uniform(-2.0f, 2.0f));
    const vec3 shift = scale * anyPoint(random, 2.0f);
    const auto moved = [&](const vec3& p) { return scale * (rotation * p) + shift; };
    std::vector<BoneSegment> movedBones = bones;
    for (BoneSegment& bone : movedBones)
      bone = {moved(bone.from), moved(bone.to)};
    std::vector<vec3> movedSkin = skin;
    for (vec3& p : movedSkin)
      p = moved(p);
    for (std::size_t way = 0; way < allWays().size(); ++way)
      for (int i = 0; i < 5; ++i) {
        const vec3 point = random.below(4) == 0 ? bones[0].from : anyPoint(random, 1.5f);
        const auto weights = allWays()[way](point, bones, skin);
        CAPTURE(way);
        REQUIRE(!weights.empty());
        float sum = 0.0f;
        for (const Influence& w : weights) {
          CHECK(w.weight > 0.0f);
          CHECK(w.joint < bones.size());
          sum += w.weight;
        }
        CHECK(sum == doctest::Approx(1.0f).epsilon(1e-5));
        // The nearest of equally near bones may change by rounding; elsewhere nothing does.
        if (way == 2) continue;
        const auto there = allWays()[way](moved(point), movedBones, movedSkin);
        for (std::uint32_t b = 0; b < bones.size(); ++b)
          CHECK(std::abs(shareOfBone(weights, b) - shareOfBone(there, b)) < 2e-2f);
      }
  }
}

TEST_CASE("classical weights: bones blending moves with the bones, by its three bones in a row") {
  for (int seed = 1; seed <= test::rounds(200, 40); ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const glm::quat rotation = glm::normalize(
        glm::quat(random.uniform(-1, 1), anyPoint(random, 1.0f) + vec3(0, 0, 1e-3f)));
    const float scale = std::pow(10.0f, random.uniform(-2.0f, 2.0f));
    std::vector<BoneSegment> bones = kChain;
    for (BoneSegment& bone : bones)
      bone = {scale * (rotation * bone.from), scale * (rotation * bone.to)};
    const vec3 point(random.uniform(-1.0f, 6.0f), random.uniform(-1, 1), random.uniform(-1, 1));
    const auto here = bonesBlendingWeights(point, kChain, precedingBones(kChain), 0.4f);
    const auto there =
        bonesBlendingWeights(scale * (rotation * point), bones, precedingBones(bones), 0.4f);
    for (std::uint32_t b = 0; b < 3; ++b)
      CHECK(std::abs(shareOfBone(here, b) - shareOfBone(there, b)) < 1e-3f);
  }
}

TEST_CASE("classical weights: envelopes are full near their bone and end at their bounds") {
  const std::vector<float> radii{0.5f, 0.5f, 0.5f};
  const EnvelopeOptions options{0.5f, 2.0f};
  CHECK(shareOfBone(envelopeWeights({1.0f, 0.2f, 0.0f}, kChain, radii, options), 0) ==
        doctest::Approx(1.0f));
  // Beside the joint both are at full: halves.
  CHECK(shareOfBone(envelopeWeights({2.0f, 0.1f, 0.0f}, kChain, radii, options), 1) ==
        doctest::Approx(0.5f));
  // Bone 1 ends a radius before its outer bound: (1 - (1/3)^2)^2 by its definition.
  const auto beside = envelopeWeights({1.5f, 0.0f, 0.0f}, kChain, radii, options);
  const float u = (1.0f - 0.5f) / 1.5f;
  const float envelope = (1.0f - u * u) * (1.0f - u * u);
  CHECK(shareOfBone(beside, 1) == doctest::Approx(envelope / (1.0f + envelope)));
  CHECK(shareOfBone(envelopeWeights({0.9f, 0.0f, 0.0f}, kChain, radii, options), 1) == 0.0f);
  // A point in no envelope follows the nearest bone by radius.
  const auto far = envelopeWeights({4.0f, 9.0f, 0.0f}, kChain, radii, options);
  CHECK(far.size() == 1);
  CHECK(far[0].joint == 2);
  // The radius is the median distance of the nearest points.
  const std::vector<vec3> skin{{1, 0.1f, 0}, {1, 0, 0.3f}, {1.2f, 0.9f, 0}, {4, 0.2f, 0}};
  const std::vector<float> found = skinRadii(skin, kChain);
  CHECK(found[0] == doctest::Approx(0.3f));
  CHECK(found[2] == doctest::Approx(0.2f));
  CHECK(found[1] == doctest::Approx(0.3f)); // the median of the other radii
}

TEST_CASE("classical weights: nearest bones by power, to the nearest alone") {
  const vec3 point(1.0f, 0.5f, 0.0f);
  const auto weights = nearestBoneWeights(point, kChain, 2.0f);
  const double d0 = 0.5, d1 = std::sqrt(1.25);
  CHECK(shareOfBone(weights, 1) / shareOfBone(weights, 0) ==
        doctest::Approx(d0 * d0 / (d1 * d1)).epsilon(1e-4));
  for (int seed = 1; seed <= 50; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const std::vector<BoneSegment> bones = anyBones(random);
    const vec3 at = anyPoint(random, 1.5f);
    const std::uint32_t nearest = findNearest(bones, at);
    float others = std::numeric_limits<float>::infinity();
    const float least = glm::length(nearestPoint(bones[nearest], at) - at);
    for (std::uint32_t b = 0; b < bones.size(); ++b)
      if (b != nearest) others = std::min(others, glm::length(nearestPoint(bones[b], at) - at));
    if (others > 1.2f * least)
      CHECK(shareOfBone(nearestBoneWeights(at, bones, 60.0f), nearest) > 0.999f);
  }
  // On a joint, both bones that meet there.
  const auto joint = nearestBoneWeights({2, 0, 0}, kChain, 4.0f);
  CHECK(shareOfBone(joint, 0) == doctest::Approx(0.5f));
  CHECK(shareOfBone(joint, 1) == doctest::Approx(0.5f));
}

TEST_CASE(
    "classical weights: around a joint the bone that begins there has t, the one before 1 - t") {
  const auto preceding = precedingBones(kChain);
  CHECK(preceding == std::vector<std::uint32_t>{0, 0, 1});
  // t_min = -0.25 * 2, t_max = 0.25 * 1 about x = 2.
  for (const float x : {1.2f, 1.5f, 1.6f, 1.9f, 2.0f, 2.1f, 2.25f, 2.4f}) {
    CAPTURE(x);
    const auto weights = bonesBlendingWeights({x, 0.3f, 0.1f}, kChain, preceding, 0.25f);
    const float t = std::clamp((x - 1.5f) / 0.75f, 0.0f, 1.0f);
    CHECK(shareOfBone(weights, 1) == doctest::Approx(t).epsilon(1e-5));
    CHECK(shareOfBone(weights, 0) == doctest::Approx(1.0f - t).epsilon(1e-5));
  }
  // Without reach a point follows the nearest bone alone: the rigid assignment.
  for (const float x : {-1.0f, 0.5f, 1.99f, 2.01f, 2.99f, 4.0f, 7.0f}) {
    const auto weights = bonesBlendingWeights({x, 0.3f, 0.1f}, kChain, preceding, 1e-3f);
    CHECK(weights.size() == 1);
    CHECK(weights[0].joint == findNearest(kChain, {x, 0.3f, 0.1f}));
  }
}
