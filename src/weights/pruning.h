// A vertex's weights reduced to those a shader has room for.
//
// The largest are kept. Left at that, weights jump where the order changes between one vertex and
// the next: the fifth of one is the fourth of the other. So each kept weight first gives up as much
// as the largest one that is left out, w - w[N+1]: a weight is 0 just where it ceases to be among
// the kept, and what is left is continuous wherever the weights were.
#pragma once

#include "model/mesh.h"

#include <cstdint>
#include <vector>

namespace sinew {

enum class Pruning : std::uint8_t {
  faded, // as above
  plain, // the largest as they are
};

// By falling weight, summing to 1, `kept` at most (0: all, but no pruning then). Weights must be
// above 0, and not all of nothing. Returns how much weight moved: half the sum of the differences
// to the weights before, scaled to sum 1; 0 where nothing was left out. Where more weights than are
// kept are equally large, the first joints are kept in equal parts.
float pruneWeights(std::vector<Influence>& weights, std::uint32_t kept, Pruning pruning);

} // namespace sinew
