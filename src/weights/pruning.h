// Reduces a vertex's weights to the number that a shader supports.
//
// The largest are kept. Without fading, weights jump where the order changes between neighbouring
// vertices: the fifth of one is the fourth of the other. So the largest dropped weight is
// subtracted from each kept one, w - w[N+1]: a weight is 0 exactly where it ceases to be among the
// kept, and the result is continuous wherever the weights were.
#pragma once

#include "model/mesh.h"

#include <cstdint>
#include <vector>

namespace sinew {

enum class Pruning : std::uint8_t {
  faded, // as above
  plain, // the largest, unchanged
};

// Scales weights w below `limit`, of a sum of 1, to w^2 / limit: what is small becomes smaller, and
// nothing jumps where the weights were continuous. They are not scaled to 1 again. Weights must be
// positive.
void reduceSmallWeights(std::vector<Influence>& weights, float limit);

// Result: by falling weight, summing to 1, at most maxInfluences (0: all). Weights must be
// positive, at least one. Returns how much weight moved: half the sum of the differences to the
// weights before, scaled to sum 1; 0 if nothing was dropped. If more than maxInfluences weights are
// equally large, the first joints are kept in equal parts.
float pruneWeights(std::vector<Influence>& weights, std::uint32_t maxInfluences, Pruning pruning);

} // namespace sinew
