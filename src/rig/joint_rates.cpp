#include "rig/joint_rates.h"

namespace sinew {
namespace {

struct MeasuredBone {
  std::uint32_t joint = 0;
  double weight = 0.0, growth = 0.0;
};

MeasuredBone& findOrAddBone(std::vector<MeasuredBone>& bones, std::uint32_t joint) {
  for (MeasuredBone& bone : bones)
    if (bone.joint == joint) return bone;
  bones.push_back({joint});
  return bones.back();
}

std::vector<MeasuredBone> measureBones(std::span<const Influence> from,
                                       std::span<const Influence> to) {
  std::vector<MeasuredBone> bones;
  for (const Influence& influence : from) {
    MeasuredBone& bone = findOrAddBone(bones, influence.joint);
    bone.weight += static_cast<double>(influence.weight);
    bone.growth -= static_cast<double>(influence.weight);
  }
  for (const Influence& influence : to)
    findOrAddBone(bones, influence.joint).growth += static_cast<double>(influence.weight);
  return bones;
}

JointRate& findOrAddRate(std::vector<JointRate>& rates, std::uint32_t joint) {
  for (JointRate& rate : rates)
    if (rate.joint == joint) return rate;
  rates.push_back({joint});
  return rates.back();
}

// The part of a bone that the joint towards `other` has: other / others, or its limit where none
// has weight yet.
struct Share {
  double part = 0.0, growth = 0.0;
};

Share computeShare(const MeasuredBone& other, const MeasuredBone& others) {
  if (others.weight > 0.0) {
    const double part = other.weight / others.weight;
    return {part, (other.growth - part * others.growth) / others.weight};
  }
  return {other.growth / others.growth, 0.0};
}

} // namespace

double JointRate::blendFactor() const {
  if (weight() > 0.0) return fromChild / weight();
  return weightGrowth() > 0.0 ? childGrowth / weightGrowth() : 1.0;
}

std::vector<JointRate> jointRates(const Rig& rig, std::span<const Influence> from,
                                  std::span<const Influence> to) {
  const std::vector<MeasuredBone> bones = measureBones(from, to);
  std::vector<JointRate> rates;
  for (const MeasuredBone& bone : bones) {
    const std::uint32_t parent = rig.joints[bone.joint].parent;
    const auto touches = [&](const MeasuredBone& other) {
      return other.joint == parent || rig.joints[other.joint].parent == bone.joint;
    };
    MeasuredBone others;
    for (const MeasuredBone& other : bones)
      if (touches(other)) {
        others.weight += other.weight;
        others.growth += other.growth;
      }
    if (!(others.weight > 0.0) && !(others.growth > 0.0)) {
      JointRate& own = findOrAddRate(rates, bone.joint);
      own.fromChild += bone.weight;
      own.childGrowth += bone.growth;
      continue;
    }
    for (const MeasuredBone& other : bones) {
      if (!touches(other)) continue;
      const Share share = computeShare(other, others);
      const double part = bone.weight * share.part;
      const double growth = bone.growth * share.part + bone.weight * share.growth;
      const bool own = other.joint == parent;
      JointRate& rate = findOrAddRate(rates, own ? bone.joint : other.joint);
      (own ? rate.fromChild : rate.fromParent) += part;
      (own ? rate.childGrowth : rate.parentGrowth) += growth;
    }
  }
  return rates;
}

} // namespace sinew
