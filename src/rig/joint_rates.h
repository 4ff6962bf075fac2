// How a vertex's joint weights (joint_weights.h) begin to change where its bone weights change
// evenly: along an edge of the surface.
#pragma once

#include "rig/rig.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// What a joint has at the start of the change, in the limit, and by how much it grows over all of
// the change if it goes on as it begins. The limit is not always what the start itself has: a bone
// with no other beyond any of its joints belongs to its own, and as soon as one appears, to the
// joint between them. Both move the vertex alike, as the bone does.
struct JointRate {
  std::uint32_t joint = 0;
  double fromParent = 0.0, fromChild = 0.0;
  double parentGrowth = 0.0, childGrowth = 0.0;

  double weight() const { return fromParent + fromChild; }
  double weightGrowth() const { return parentGrowth + childGrowth; }
  // The blend factor in the limit; 1 of a joint that neither has nor gets anything.
  double blendFactor() const;
  // weight() times the growth of the blend factor.
  double blendGrowth() const { return childGrowth - blendFactor() * weightGrowth(); }
};

// Bone weights from those at one end of an edge to those at the other, in proportion. Not
// normalised, and of all joints: attachToJoints() without its limit.
std::vector<JointRate> jointRates(const Rig& rig, std::span<const Influence> from,
                                  std::span<const Influence> to);

} // namespace sinew
