#include "skinning/twist_ranges.h"

#include "core/error.h"
#include "skinning/shared_skin.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr float kInLine = 0.99996f;  // cosine of half a degree
constexpr float kAsLong = 0.02f;     // relative difference in length between parts of a limb
constexpr float kLongEnough = 0.6f;  // fraction of the parent's bone
constexpr float kAligned = 0.985f;   // cosine of 10 degrees
constexpr float kLeastShare = 1e-5f; // a twist's share above which it counts

constexpr std::array<std::string_view, 1> kTwistTexts{
    "axis of the joint's twist in bind space, unit; w: the twist about it, -pi to pi"};

// Per joint the one at its bone's end, if the skin beyond the bone is that joint's alone.
std::vector<std::uint32_t> onlyFollowers(const Rig& rig, std::span<const BoneAxis> axes) {
  const std::vector<bool> carries = carrySkin(rig);
  std::vector<std::uint32_t> children(rig.joints.size(), 0);
  for (std::size_t j = 0; j < rig.joints.size(); ++j)
    if (const std::uint32_t parent = rig.joints[j].parent; parent != kNoNode && carries[j])
      ++children[parent];
  std::vector<std::uint32_t> ends = jointsAtEnds(rig, axes);
  for (std::size_t j = 0; j < ends.size(); ++j)
    if (children[j] != 1) ends[j] = kNoNode;
  return ends;
}

// Limbs: bones, or runs of them that are parts of one.
class Limbs {
 public:
  Limbs(const Rig& rig, const JointBinding& joints)
      : rig_(rig), joints_(joints), followers_(onlyFollowers(rig, joints.axes)) {}

  JointTwist findRange(std::uint32_t j) const {
    const std::uint32_t parent = rig_.joints[j].parent;
    const std::uint32_t last = bottom(j);
    const bool endsInJoint = followers_[last] != kNoNode;
    const bool follows = followers_[parent] == j;
    if (inLine(parent, j) && endsInJoint) return between(top(j), last, j);
    const float length = distance(j, last) + joints_.axes[last].length;
    const float before = follows ? distance(top(parent), j) : 0.0f;
    if (endsInJoint && length >= kLongEnough * before) return between(j, last, j);
    return follows ? between(top(parent), parent, j) : JointTwist{};
  }

  // A range that a file gives: along the bones of which it has more.
  JointTwist given(std::uint32_t j, const TwistRange& range) const {
    const std::uint32_t parent = rig_.joints[j].parent;
    JointTwist out{true,      joints_.axes[-range.min > range.max ? parent : j].direction,
                   range.min, range.max,
                   {},        {}};
    addBones(range.min < 0.0f ? top(parent) : j, bottom(j), j, out);
    return out;
  }

 private:
  float distance(std::uint32_t a, std::uint32_t b) const {
    return glm::distance(joints_.axes[a].center, joints_.axes[b].center);
  }
  // Whether a bone is the only one that goes on behind another, in its direction and as long.
  // Elbows are in line in many files, but rarely between bones of one length.
  bool inLine(std::uint32_t upper, std::uint32_t lower) const {
    if (upper == kNoNode || followers_[upper] != lower) return false;
    const BoneAxis& a = joints_.axes[upper];
    const BoneAxis& b = joints_.axes[lower];
    return glm::dot(a.direction, b.direction) > kInLine &&
           std::abs(b.length - a.length) <= kAsLong * a.length;
  }
  std::uint32_t top(std::uint32_t j) const {
    while (inLine(rig_.joints[j].parent, j))
      j = rig_.joints[j].parent;
    return j;
  }
  std::uint32_t bottom(std::uint32_t j) const {
    while (followers_[j] != kNoNode && inLine(j, followers_[j]))
      j = followers_[j];
    return j;
  }

  void addBones(std::uint32_t first, std::uint32_t last, std::uint32_t j, JointTwist& out) const {
    if (first != j)
      for (std::uint32_t up = rig_.joints[j].parent;; up = rig_.joints[up].parent) {
        out.behind.push_back(up);
        if (up == first) break;
      }
    const std::uint32_t end = last == rig_.joints[j].parent ? j : last;
    for (std::uint32_t down = j;; down = followers_[down]) {
      out.beyond.push_back(down);
      if (down == end) break;
    }
    if (end == last && followers_[last] != kNoNode) out.beyond.push_back(followers_[last]);
  }

  // From the start of the first bone to the end of the last. If the next joint bends a limb that
  // has a range of its own, up to its zone, for it bends skin that is twisted already.
  JointTwist between(std::uint32_t first, std::uint32_t last, std::uint32_t j) const {
    const BoneAxis& end = joints_.axes[last];
    const vec3 along = end.center + end.length * end.direction - joints_.axes[first].center;
    JointTwist out;
    out.ownRange = true;
    out.axis = glm::normalize(along);
    out.min = glm::dot(joints_.axes[first].center - joints_.axes[j].center, out.axis);
    out.max = out.min + glm::length(along);
    addBones(first, last, j, out);
    const std::uint32_t next = followers_[last];
    const std::uint32_t lastOfNext = bottom(next);
    if (next == j || followers_[lastOfNext] == kNoNode) return out;
    const float length = distance(next, lastOfNext) + joints_.axes[lastOfNext].length;
    if (length >= kLongEnough * glm::length(along))
      out.max = std::max(out.max + joints_.zones[next].min, out.max - 0.5f * end.length);
    return out;
  }

  const Rig& rig_;
  const JointBinding& joints_;
  std::vector<std::uint32_t> followers_;
};

std::vector<JointTwist> jointTwists(const Rig& rig, const JointBinding& joints,
                                    const BindOptions& options, TwistRange::Kind byDefault) {
  const Limbs limbs(rig, joints);
  std::vector<JointTwist> out(rig.joints.size());
  for (std::uint32_t j = 0; j < out.size(); ++j) {
    if (rig.joints[j].parent == kNoNode) continue; // moves against nothing
    TwistRange range{byDefault};
    if (!options.twists.empty()) range = options.twists[j].value_or(range);
    if (range.kind == TwistRange::Kind::bone) out[j] = limbs.findRange(j);
    if (range.kind == TwistRange::Kind::given) out[j] = limbs.given(j, range);
  }
  return out;
}

// How much a vertex belongs to each bone, as its attachments have it: they sum to 1.
class BoneShares {
 public:
  void set(const JointBinding& joints, std::span<const JointAttachment> attachments,
           const TwistFraction& fraction) {
    shares_.clear();
    for (const JointAttachment& each : attachments) {
      const float t = fraction(each);
      add(joints.parents[each.joint], each.weight * (1.0f - t));
      add(each.joint, each.weight * t);
    }
  }
  float of(std::uint32_t bone) const {
    for (const auto& [joint, share] : shares_)
      if (joint == bone) return share;
    return 0.0f;
  }
  auto begin() const { return shares_.begin(); }
  auto end() const { return shares_.end(); }

 private:
  void add(std::uint32_t bone, float share) {
    if (!(share > 0.0f)) return;
    for (auto& [joint, sum] : shares_)
      if (joint == bone) {
        sum += share;
        return;
      }
    shares_.emplace_back(bone, share);
  }

  std::vector<std::pair<std::uint32_t, float>> shares_;
};

// u - T at a vertex. Skin of the bones beyond the joint has T = 1, of those behind it T = 0, and of
// both together it has u; farther bones stay as they are. Where the range does not reach behind the
// joint, or the bones behind it shade into one farther back, the smaller of two shares counts: it
// is 0 where the skin is one bone's alone.
float computeShare(const Rig& rig, const JointTwist& twist, const BoneShares& bones,
                   const vec3& center, const vec3& position, std::uint32_t j) {
  const float along = glm::dot(position - center, twist.axis);
  const float u = std::clamp((along - twist.min) / (twist.max - twist.min), 0.0f, 1.0f);
  const auto sumWeights = [&](std::span<const std::uint32_t> all) {
    float sum = 0.0f;
    for (const std::uint32_t bone : all)
      sum += bones.of(bone);
    return sum;
  };
  const float beyond = sumWeights(twist.beyond);
  const float behind = sumWeights(twist.behind);
  const std::uint32_t farther = rig.joints[twist.behind.empty() ? j : twist.behind.back()].parent;
  const float own = twist.behind.empty() ? beyond : behind;
  const float shaded = farther != kNoNode ? std::min(own, bones.of(farther)) : 0.0f;
  return u * (behind + shaded) - (1.0f - u) * beyond;
}

} // namespace

TwistRanges twistRanges(const Rig& rig, const JointBinding& joints, const BindOptions& options,
                        TwistRange::Kind byDefault, const TwistFraction& fraction,
                        bool ownBoneAlone) {
  TwistRanges out;
  out.joints = jointTwists(rig, joints, options, byDefault);
  for (std::size_t j = 0; ownBoneAlone && j < out.joints.size(); ++j)
    if (glm::dot(out.joints[j].axis, joints.axes[j].direction) < kAligned)
      out.joints[j].ownRange = false;
  if (std::ranges::none_of(out.joints, &JointTwist::ownRange)) return out;
  // Joints with a range by the bones whose skin it is.
  const auto ranges = gatherLists<std::uint32_t>(rig.joints.size(), [&](const auto& each) {
    for (std::uint32_t j = 0; j < out.joints.size(); ++j) {
      if (!out.joints[j].ownRange) continue;
      for (const auto* of : {&out.joints[j].behind, &out.joints[j].beyond})
        for (const std::uint32_t bone : *of)
          each(bone, j);
    }
  });
  BoneShares bones;
  std::vector<VertexTwist> own;
  std::vector<std::uint32_t> candidates;
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    bones.set(joints, joints.attachments.of(v), fraction);
    candidates.clear();
    for (const auto& [bone, share] : bones) {
      const auto of = ranges.of(bone);
      candidates.insert(candidates.end(), of.begin(), of.end());
    }
    std::ranges::sort(candidates);
    const auto end = std::unique(candidates.begin(), candidates.end());
    candidates.erase(end, candidates.end());
    own.clear();
    for (const std::uint32_t j : candidates) {
      const float share =
          computeShare(rig, out.joints[j], bones, joints.axes[j].center, rig.positions[v], j);
      if (std::abs(share) > kLeastShare) own.push_back({j, share});
    }
    std::ranges::stable_sort(own, [](const VertexTwist& a, const VertexTwist& b) {
      return std::abs(a.share) > std::abs(b.share);
    });
    own.resize(std::min(own.size(), kVertexTwists));
    out.vertices.append(own);
  }
  return out;
}

void appendTwists(const TwistRanges& twists, const JointBinding& joints, Binding& binding) {
  if (twists.vertices.count() == 0) return;
  if (binding.variant.normals == NormalMode::exact)
    throw usageError("normals=exact does not know twist ranges of joints' own",
                     "use normals=cheap, or twist=zone for every joint");
  const bool few = binding.entryCount <= 256;
  Attribute entries{
      "twistJoints", few ? AttributeFormat::uint8x4 : AttributeFormat::uint16x4, true, {}};
  Attribute shares{"twistShares", AttributeFormat::float4, false, {}};
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    glm::uvec4 of(joints.attachments.of(v)[0].joint); // unused: one that the vertex follows
    vec4 share(0.0f);
    int i = 0;
    for (const VertexTwist& twist : twists.vertices.of(v)) {
      of[i] = twist.joint;
      share[i++] = twist.share;
    }
    append(entries, of);
    append(shares, share);
  }
  // Integers stand first.
  binding.attributes.insert(binding.attributes.begin() + 1, std::move(entries));
  binding.attributes.push_back(std::move(shares));
  binding.variant.twistRow = binding.rowsPerEntry;
  binding.rowsPerEntry += static_cast<std::uint32_t>(kTwistTexts.size());
  binding.rowTexts.insert(binding.rowTexts.end(), kTwistTexts.begin(), kTwistTexts.end());
}

vec4 twistConstant(const JointTwist& twist) {
  return {twist.axis, twist.ownRange ? 1.0f : 0.0f};
}

vec4 twistRow(const vec4& constant, const quat& rotation) {
  const vec3 axis(constant);
  return {axis, constant.w != 0.0f ? twistAbout(rotation, axis) : 0.0f};
}

float twistAbout(const quat& rotation, const vec3& direction) {
  const float sine = glm::dot(vec3(rotation.x, rotation.y, rotation.z), direction);
  const float twist = 2.0f * std::atan2(sine, rotation.w);
  return rotation.w <= 1e-6f ? std::abs(twist) : twist;
}

VertexTwists::VertexTwists(const Binding& binding) {
  if (binding.variant.twistRow == 0) return;
  joints_ = &findAttribute(binding, "twistJoints");
  shares_ = &findAttribute(binding, "twistShares");
}

} // namespace sinew
