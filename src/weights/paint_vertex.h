// Editing the weights of one vertex: one weight is set, the others are rescaled.
#pragma once

#include "model/mesh.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

inline constexpr std::uint32_t kNoEntry = ~0u;

// Items are the joints of a rig, or its splines.
struct PaintRules {
  std::vector<bool> locked;        // by item; items beyond its size are not locked
  std::uint32_t maxInfluences = 4; // per vertex, at least 1

  bool isLocked(std::uint32_t item) const { return item < locked.size() && locked[item]; }
};

bool sameInfluences(std::span<const Influence> a, std::span<const Influence> b);

// Sets the weight of `item` to `target`, or as near as the locked weights allow. The other weights
// that are not locked are scaled to fill the rest; if there are none, `fallbackJoint` takes it, and
// without one (kNoEntry, or locked) the item keeps all. Beyond maxInfluences the smallest are
// dropped. Before and after: weights positive, summing to 1, by falling weight; locked ones stay
// bit for bit. Returns whether anything has changed.
bool setWeight(std::vector<Influence>& weights, std::uint32_t item, float target,
               std::uint32_t fallbackJoint, const PaintRules& rules);

// Moves all weights that are not locked by `amount` (0 to 1) towards the given shares, which sum to
// at most 1; what is left of it goes to the vertex's other items as they share it, or, without any,
// to `fallbackJoint`. Before and after as in setWeight().
bool mixWeights(std::vector<Influence>& weights, const std::vector<Influence>& shares, float amount,
                std::uint32_t fallbackJoint, const PaintRules& rules);

// The mean of two results of setWeight() from the same weights, by the same rules.
std::vector<Influence> meanWeights(const std::vector<Influence>& a, const std::vector<Influence>& b,
                                   const PaintRules& rules);

} // namespace sinew
