#include "rig/bend_shares.h"

#include <algorithm>

namespace sinew {
namespace {

std::vector<std::uint32_t> computeDepths(const Rig& rig) {
  std::vector<std::uint32_t> depths(rig.joints.size(), 0);
  for (std::size_t j = 0; j < depths.size(); ++j)
    for (std::uint32_t up = rig.joints[j].parent; up != kNoNode; up = rig.joints[up].parent)
      ++depths[j];
  return depths;
}

// The joints on the way between two bones: every bone's own, up to where the ways to the root meet.
void findWay(const Rig& rig, std::span<const std::uint32_t> depths, std::uint32_t a,
             std::uint32_t b, std::vector<std::uint32_t>& way) {
  way.clear();
  while (a != b) {
    // kNoNode, above the roots, is deeper than nothing.
    const bool first = b == kNoNode || (a != kNoNode && depths[a] >= depths[b]);
    std::uint32_t& lower = first ? a : b;
    way.push_back(lower);
    lower = rig.joints[lower].parent;
  }
}

void add(std::uint32_t joint, float share, std::vector<BendShare>& out) {
  const auto found = std::ranges::find(out, joint, &BendShare::joint);
  if (found == out.end())
    out.push_back({joint, share});
  else
    found->share += share;
}

// A bone's weight at the start of an edge, and its growth.
struct BoneRate {
  std::uint32_t joint = 0;
  double weight = 0.0, growth = 0.0;
};

std::vector<BoneRate> boneRates(std::span<const Influence> from, std::span<const Influence> to) {
  std::vector<BoneRate> out;
  const auto add = [&](const Influence& influence, double weight, double growth) {
    auto found = std::ranges::find(out, influence.joint, &BoneRate::joint);
    if (found == out.end()) found = out.insert(found, {influence.joint});
    found->weight += weight * static_cast<double>(influence.weight);
    found->growth += growth * static_cast<double>(influence.weight);
  };
  for (const Influence& influence : from)
    add(influence, 1.0, -1.0);
  for (const Influence& influence : to)
    add(influence, 0.0, 1.0);
  return out;
}

// The first two terms of a sum of products of weights in the way along the edge.
struct Series {
  double value = 0.0, slope = 0.0;
};

std::vector<BendShareRate> shareRates(const Rig& rig, std::span<const std::uint32_t> depths,
                                      std::uint32_t from, std::uint32_t to) {
  const std::vector<BoneRate> bones = boneRates(rig.influences.of(from), rig.influences.of(to));
  std::vector<std::pair<std::uint32_t, Series>> sums;
  Series whole;
  std::vector<std::uint32_t> way;
  for (std::size_t i = 0; i < bones.size(); ++i)
    for (std::size_t k = i + 1; k < bones.size(); ++k) {
      const Series pair{bones[i].weight * bones[k].weight,
                        bones[i].weight * bones[k].growth + bones[i].growth * bones[k].weight};
      findWay(rig, depths, bones[i].joint, bones[k].joint, way);
      const auto parts = static_cast<double>(way.size());
      for (const std::uint32_t joint : way) {
        auto found = std::ranges::find(sums, joint, &std::pair<std::uint32_t, Series>::first);
        if (found == sums.end()) found = sums.insert(found, {joint, {}});
        found->second.value += pair.value / parts;
        found->second.slope += pair.slope / parts;
      }
      whole.value += pair.value;
      whole.slope += pair.slope;
    }
  std::vector<BendShareRate> out;
  if (whole.value > 0.0) {
    for (const auto& [joint, sum] : sums) {
      const double share = sum.value / whole.value;
      out.push_back({joint, share, (sum.slope - share * whole.slope) / whole.value});
    }
  } else if (whole.slope > 0.0) { // a single bone: all methods move it alike, so no growth counts
    for (const auto& [joint, sum] : sums)
      out.push_back({joint, sum.slope / whole.slope, 0.0});
  } else {
    out.push_back({rig.influences.of(from)[0].joint, 1.0, 0.0});
  }
  return out;
}

} // namespace

BendShareRates bendShareRates(const Rig& rig) {
  return [&rig, depths = computeDepths(rig)](std::uint32_t from, std::uint32_t to) {
    return shareRates(rig, depths, from, to);
  };
}

Lists<BendShare> bendShares(const Rig& rig) {
  const std::vector<std::uint32_t> depths = computeDepths(rig);
  Lists<BendShare> out;
  std::vector<BendShare> shares;
  std::vector<std::uint32_t> way;
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    const auto influences = rig.influences.of(v);
    shares.clear();
    float whole = 0.0f;
    for (std::size_t i = 0; i < influences.size(); ++i)
      for (std::size_t k = i + 1; k < influences.size(); ++k) {
        const float product = influences[i].weight * influences[k].weight;
        if (!(product > 0.0f) || influences[i].joint == influences[k].joint) continue;
        findWay(rig, depths, influences[i].joint, influences[k].joint, way);
        for (const std::uint32_t joint : way)
          add(joint, product / static_cast<float>(way.size()), shares);
        whole += product;
      }
    if (shares.empty()) shares.push_back({influences[0].joint, whole = 1.0f});
    for (const BendShare& each : shares)
      out.values.push_back({each.joint, each.share / whole});
    out.endList();
  }
  return out;
}

} // namespace sinew
