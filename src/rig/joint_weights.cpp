#include "rig/joint_weights.h"

#include "core/lists.h"

#include <algorithm>

namespace sinew {
namespace {

// The parts of one vertex's weights that a joint gets.
struct Shares {
  std::uint32_t joint;
  float fromParent = 0.0f;
  float fromChild = 0.0f;

  float sum() const { return fromParent + fromChild; }
};

Shares& findOrAddShares(std::vector<Shares>& all, std::uint32_t joint) {
  for (Shares& shares : all)
    if (shares.joint == joint) return shares;
  all.push_back({joint});
  return all.back();
}

// Influences are few, so all pairs are tested: `other` is beyond the bone's own joint, or beyond
// its child's joint.
void shareOut(const Rig& rig, std::span<const Influence> influences,
              std::span<const TakenShare> taken, std::vector<Shares>& out) {
  out.clear();
  for (const Influence& bone : influences) {
    const std::uint32_t parent = rig.joints[bone.joint].parent;
    float left = bone.weight;
    for (const auto& [joint, share] : taken)
      if (rig.joints[joint].parent == bone.joint) {
        findOrAddShares(out, joint).fromParent += share * bone.weight;
        left -= share * bone.weight;
      }
    if (!taken.empty() && left <= 0.0f) continue;
    const auto touches = [&](const Influence& other) {
      return other.joint == parent || rig.joints[other.joint].parent == bone.joint;
    };
    float others = 0.0f;
    for (const Influence& other : influences)
      if (touches(other)) others += other.weight;
    if (others <= 0.0f) {
      findOrAddShares(out, bone.joint).fromChild += left;
      continue;
    }
    for (const Influence& other : influences) {
      if (!touches(other)) continue;
      const float share = left * other.weight / others;
      if (other.joint == parent)
        findOrAddShares(out, bone.joint).fromChild += share;
      else
        findOrAddShares(out, other.joint).fromParent += share;
    }
  }
  sortFewStably(out, [](const Shares& a, const Shares& b) { return a.sum() > b.sum(); });
}

} // namespace

JointAttachments attachToJoints(const Rig& rig, std::uint32_t limit, const TakenShares& taken) {
  JointAttachments out;
  out.offsets.reserve(rig.positions.size() + 1);
  std::vector<Shares> shares;
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    shareOut(rig, rig.influences.of(v),
             taken.count() > 0 ? taken.of(v) : std::span<const TakenShare>{}, shares);
    shares.resize(std::min<std::size_t>(shares.size(), limit), Shares{0});
    float sum = 0.0f;
    for (const Shares& each : shares)
      sum += each.sum();
    for (const Shares& each : shares)
      if (each.sum() > 0.0f || out.values.size() == out.offsets.back())
        out.values.push_back({each.joint, each.sum() / sum, each.fromChild / each.sum()});
    out.endList();
  }
  return out;
}

std::vector<std::uint32_t> parentOrSelf(const Rig& rig) {
  std::vector<std::uint32_t> parents;
  for (std::uint32_t j = 0; j < rig.joints.size(); ++j)
    parents.push_back(rig.joints[j].parent != kNoNode ? rig.joints[j].parent : j);
  return parents;
}

} // namespace sinew
