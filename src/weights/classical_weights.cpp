#include "weights/classical_weights.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

// Bones whose ends are nearer, as a fraction of the longest bone, meet.
constexpr float kSamePlace = 1e-4f;

float distanceTo(const BoneSegment& bone, const vec3& point) {
  return glm::length(nearestPoint(bone, point) - point);
}

// Around a joint several bones are equally near, up to rounding.
constexpr float kSameNearness = 1.0001f;

// The first of the nearest among the bones that `counts` takes; kNoBone where there are none.
constexpr std::uint32_t kNoBone = std::numeric_limits<std::uint32_t>::max();
template <class Counts>
std::uint32_t nearestBone(const vec3& point, std::span<const BoneSegment> bones,
                          const Counts& counts) {
  std::uint32_t best = kNoBone;
  float least = std::numeric_limits<float>::infinity();
  for (std::uint32_t b = 0; b < bones.size(); ++b) {
    if (!counts(b)) continue;
    const float distance = distanceTo(bones[b], point);
    if (best != kNoBone && !(kSameNearness * distance < least)) continue;
    least = distance;
    best = b;
  }
  return best;
}

float computeMedian(std::vector<float>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void normaliseWeights(std::vector<Influence>& weights) {
  double sum = 0.0;
  for (const Influence& w : weights)
    sum += static_cast<double>(w.weight);
  for (Influence& w : weights)
    w.weight = static_cast<float>(static_cast<double>(w.weight) / sum);
}

vec3 boneDirection(const BoneSegment& bone) {
  const vec3 along = bone.to - bone.from;
  const float length = glm::length(along);
  return length > 0.0f ? along / length : vec3(0.0f);
}

float boneLength(const BoneSegment& bone) {
  return glm::length(bone.to - bone.from);
}

// The place of a point along a bone's rotation: from 0 at t_min to 1 at t_max.
float computeParameter(const vec3& point, const BoneSegment& bone, const BoneSegment& before,
                       float reach) {
  const float along = glm::dot(point - bone.from, boneDirection(bone));
  const float min = -reach * boneLength(before);
  const float max = reach * boneLength(bone);
  if (!(max > min)) return along < 0.0f ? 0.0f : 1.0f;
  return glm::clamp((along - min) / (max - min), 0.0f, 1.0f);
}

} // namespace

std::vector<float> skinRadii(std::span<const vec3> points, std::span<const BoneSegment> bones) {
  std::vector<std::vector<float>> distances(bones.size());
  for (const vec3& point : points) {
    float least = std::numeric_limits<float>::infinity();
    for (const BoneSegment& bone : bones)
      least = std::min(least, distanceTo(bone, point));
    for (std::size_t b = 0; b < bones.size(); ++b)
      if (const float distance = distanceTo(bones[b], point); distance <= kSameNearness * least)
        distances[b].push_back(distance);
  }
  std::vector<float> radii(bones.size(), 0.0f);
  std::vector<float> known;
  for (std::size_t b = 0; b < bones.size(); ++b)
    if (!distances[b].empty()) known.push_back(radii[b] = computeMedian(distances[b]));
  const float other = known.empty() ? 0.0f : computeMedian(known);
  for (std::size_t b = 0; b < bones.size(); ++b)
    if (distances[b].empty()) radii[b] = other;
  return radii;
}

std::vector<Influence> envelopeWeights(const vec3& point, std::span<const BoneSegment> bones,
                                       std::span<const float> radii,
                                       const EnvelopeOptions& options) {
  std::vector<Influence> out;
  std::uint32_t nearest = 0;
  float least = std::numeric_limits<float>::infinity();
  for (std::uint32_t b = 0; b < bones.size(); ++b) {
    // A bone without skin about it is a bare line.
    const float radius = std::max(radii[b], std::numeric_limits<float>::min());
    const float ratio = distanceTo(bones[b], point) / radius;
    if (kSameNearness * ratio < least) {
      least = ratio;
      nearest = b;
    }
    const float u =
        glm::clamp((ratio - options.inner) / (options.outer - options.inner), 0.0f, 1.0f);
    const float envelope = (1.0f - u * u) * (1.0f - u * u);
    if (envelope > 0.0f) out.push_back({b, envelope});
  }
  if (out.empty()) out.push_back({nearest, 1.0f});
  normaliseWeights(out);
  return out;
}

std::vector<Influence> nearestBoneWeights(const vec3& point, std::span<const BoneSegment> bones,
                                          float exponent) {
  std::vector<Influence> out;
  float least = std::numeric_limits<float>::infinity();
  for (const BoneSegment& bone : bones)
    least = std::min(least, distanceTo(bone, point));
  // Relative to the nearest, so that no power overflows.
  for (std::uint32_t b = 0; b < bones.size(); ++b) {
    const float distance = distanceTo(bones[b], point);
    const float weight = distance > least ? std::pow(least / distance, exponent) : 1.0f;
    if (weight > 0.0f) out.push_back({b, weight});
  }
  normaliseWeights(out);
  return out;
}

std::vector<std::uint32_t> precedingBones(std::span<const BoneSegment> bones) {
  float longest = 0.0f;
  for (const BoneSegment& bone : bones)
    longest = std::max(longest, boneLength(bone));
  std::vector<std::uint32_t> out;
  for (std::uint32_t b = 0; b < bones.size(); ++b) {
    std::uint32_t before = b;
    float nearest = kSamePlace * longest;
    for (std::uint32_t other = 0; other < bones.size(); ++other) {
      const float distance = glm::length(bones[other].to - bones[b].from);
      // Two bones without length at one place would precede each other.
      if (other == b || !(boneLength(bones[other]) > 0.0f) || !(distance < nearest)) continue;
      nearest = distance;
      before = other;
    }
    out.push_back(before);
  }
  return out;
}

std::vector<Influence> bonesBlendingWeights(const vec3& point, std::span<const BoneSegment> bones,
                                            std::span<const std::uint32_t> preceding, float reach) {
  const std::uint32_t nearest = nearestBone(point, bones, [](std::uint32_t) { return true; });
  std::uint32_t bone = nearest;
  // At its far end it hands the point on. The plane t' = t_min of a bone that leads another way
  // passes anywhere, so the point has to be near the end of its own bone too.
  const std::uint32_t next = nearestBone(
      point, bones, [&](std::uint32_t b) { return b != nearest && preceding[b] == nearest; });
  const float toEnd = glm::dot(bones[nearest].to - point, boneDirection(bones[nearest]));
  if (next != kNoBone && toEnd < reach * boneLength(bones[nearest])) bone = next;
  const std::uint32_t before = preceding[bone];
  if (before == bone) return {{bone, 1.0f}};
  const float t = computeParameter(point, bones[bone], bones[before], reach);
  std::vector<Influence> out;
  if (t > 0.0f) out.push_back({bone, t});
  if (t < 1.0f) out.push_back({before, 1.0f - t});
  return out;
}

} // namespace sinew
