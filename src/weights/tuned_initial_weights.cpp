#include "weights/tuned_initial_weights.h"

#include "core/parallel.h"
#include "weights/classical_weights.h"
#include "weights/glow_initial_weights.h"
#include "weights/initial_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

// Chosen together; docs/weights.md says how, and what others brought.
constexpr float kSharpness = 1.5f;     // s
constexpr float kNearness = 3.0f;      // k
constexpr float kMaxNearer = 2.0f;     // d' / d: a hidden bone may be nearer than a visible one
constexpr float kLastBoneBonus = 3.0f; // c
constexpr float kLastBoneStart = 0.3f; // t0
constexpr float kNearestShare = 0.36f; // m
constexpr double kFirmness = 4.0;      // factor of the anchoring
constexpr double kLastFirmness = 4.0;  // further factor about a last bone
constexpr float kTrusted = 3.0f;       // how many times as far as a near bone another one counts

constexpr float kLeastDistance = 1e-4f; // share of the surface's size; less counts as this

// How far along its bone, from 0 at its joint; past both ends as well.
float alongBone(const BoneSegment& bone, const vec3& point) {
  const vec3 along = bone.to - bone.from;
  const float squared = glm::dot(along, along);
  return squared > 0.0f ? glm::dot(point - bone.from, along) / squared : 0.0f;
}

// Per bone whether it is the last of a chain: no bone begins where it ends, nor where another bone
// with the same beginning ends.
std::vector<bool> lastBones(std::span<const BoneSegment> bones) {
  const std::vector<std::uint32_t> preceding = precedingBones(bones);
  std::vector<bool> goesOn(bones.size(), false);
  for (std::uint32_t b = 0; b < bones.size(); ++b)
    if (preceding[b] != b) goesOn[preceding[b]] = true;
  std::vector<bool> out(bones.size(), false);
  for (std::uint32_t b = 0; b < bones.size(); ++b) {
    out[b] = true;
    for (std::uint32_t other = 0; other < bones.size() && out[b]; ++other)
      if (goesOn[other] && bones[other].from == bones[b].from) out[b] = false;
  }
  return out;
}

class Tuning {
 public:
  Tuning(const WeightSurface& surface, std::span<const BoneSegment> bones)
      : surface_(surface), bones_(bones), last_(lastBones(bones)) {}

  // The factor on the light of a bone at a welded vertex; `nearest`: the distance of its nearest
  // visible bone.
  float factor(std::size_t welded, std::uint32_t bone, float nearest) const {
    const float least = kLeastDistance * surface_.size;
    const float near = std::pow(
        std::min(std::max(nearest, least) / distance(welded, bone), kMaxNearer), kNearness);
    return near * std::exp(kLastBoneBonus * alongLastBone(welded, bone));
  }

  // From 0 at the joint of a last bone to 1 from t0 on; 0 on other bones.
  float alongLastBone(std::size_t welded, std::uint32_t bone) const {
    if (!last_[bone]) return 0.0f;
    return std::clamp(alongBone(bones_[bone], surface_.positions[welded]) / kLastBoneStart, 0.0f,
                      1.0f);
  }

  // How much a bone's light tells, 0 to 1, where another bone is that near.
  float trust(std::size_t welded, std::uint32_t bone, float nearest) const {
    return std::pow(std::min(1.0f, kTrusted * nearest / distance(welded, bone)), 4.0f);
  }

  // The factor on the anchoring of a vertex whose nearest visible bone is this one. Where a hidden
  // bone is much nearer, what it sees tells little: skin between two toes sees no bone of the foot,
  // but perhaps a hand far above. Its neighbours know better.
  double firmness(std::size_t welded, std::uint32_t bone) const {
    return kFirmness * static_cast<double>(trust(welded, bone, distanceOfAny(welded))) *
           (1.0 + (kLastFirmness - 1.0) * static_cast<double>(alongLastBone(welded, bone)));
  }

 private:
  float distance(std::size_t welded, std::uint32_t bone) const {
    const vec3& at = surface_.positions[welded];
    return std::max(glm::distance(nearestPoint(bones_[bone], at), at),
                    kLeastDistance * surface_.size);
  }

  float distanceOfAny(std::size_t welded) const {
    float least = std::numeric_limits<float>::max();
    for (std::uint32_t b = 0; b < bones_.size(); ++b)
      least = std::min(least, distance(welded, b));
    return least;
  }

  const WeightSurface& surface_;
  std::span<const BoneSegment> bones_;
  std::vector<bool> last_;
};

// Scales the weights from `first` on to the sum `share`.
void scaleFrom(std::vector<Influence>& values, std::size_t first, float share) {
  double sum = 0.0;
  for (std::size_t i = first; i < values.size(); ++i)
    sum += static_cast<double>(values[i].weight);
  for (std::size_t i = first; i < values.size(); ++i)
    values[i].weight = static_cast<float>(static_cast<double>(share * values[i].weight) / sum);
}

void addTo(std::vector<Influence>& values, std::size_t first, const Influence& more) {
  for (std::size_t i = first; i < values.size(); ++i)
    if (values[i].joint == more.joint) {
      values[i].weight += more.weight;
      return;
    }
  values.push_back(more);
}

} // namespace

InitialWeights tunedInitialWeights(const WeightSurface& surface, std::span<const BoneSegment> bones,
                                   const SurfaceRays& rays, ProgressMeter* meter) {
  const InitialWeights glow = glowInitialWeights(surface, bones, rays, {0, kSharpness}, meter);
  const InitialWeights heat = heatInitialWeights(surface, bones, &rays, meter);
  const Tuning tuning(surface, bones);
  InitialWeights out;
  for (std::size_t p = 0; p < glow.count(); ++p) {
    const auto nearest = static_cast<float>(1.0 / std::sqrt(heat.anchoring[p]));
    const std::size_t first = out.values.size();
    for (const Influence& lit : glow.of(p))
      out.values.push_back({lit.joint, lit.weight * tuning.factor(p, lit.joint, nearest)});
    scaleFrom(out.values, first, 1.0f - kNearestShare);
    float nearestShare = 1.0f;
    if (!heat.of(p).empty())
      for (std::size_t i = first; i < out.values.size(); ++i) {
        Influence& value = out.values[i];
        value.weight *= tuning.trust(p, value.joint, nearest);
        nearestShare -= value.weight;
      }
    for (const Influence& near : heat.of(p))
      addTo(out.values, first, {near.joint, nearestShare * near.weight});
    out.endList();
    const auto nearestBones = heat.of(p);
    out.anchoring.push_back(nearestBones.empty() ? 0.0
                                                 : tuning.firmness(p, nearestBones.front().joint) *
                                                       heat.anchoring[p]);
  }
  return out;
}

} // namespace sinew
