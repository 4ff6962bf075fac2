// The weights of one vertex while they are painted: one weight is set, the others make room.
#pragma once

#include "model/mesh.h"

#include <cstdint>
#include <vector>

namespace sinew {

inline constexpr std::uint32_t kNoItem = ~0u;

// Items are what weights are of: joints of a rig, or its splines.
struct PaintRules {
  std::vector<bool> locked; // by item: weights that never change; shorter: the rest are not
  std::uint32_t most = 4;   // influences of a vertex, at least 1

  bool isLocked(std::uint32_t item) const { return item < locked.size() && locked[item]; }
};

// Sets the weight of `item` to `target`, or as near as the locked weights let it come. The other
// weights that are not locked are scaled to fill the rest; where there are none, `heir` takes it,
// and without one (kNoItem, or locked) the item keeps all. Beyond `most` influences the smallest
// go. Before and after: weights positive, summing to 1, by falling weight; locked ones keep every
// bit. Returns whether anything has changed.
bool setWeight(std::vector<Influence>& weights, std::uint32_t item, float target,
               std::uint32_t heir, const PaintRules& rules);

// The mean of two results of setWeight() from the same weights, by the same rules.
std::vector<Influence> meanWeights(const std::vector<Influence>& a, const std::vector<Influence>& b,
                                   const PaintRules& rules);

} // namespace sinew
