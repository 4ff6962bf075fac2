#include "rig/bend_shares.h"

#include <algorithm>

namespace sinew {
namespace {

std::vector<std::uint32_t> depthsOf(const Rig& rig) {
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

} // namespace

Lists<BendShare> bendShares(const Rig& rig) {
  const std::vector<std::uint32_t> depths = depthsOf(rig);
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
