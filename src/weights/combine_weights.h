// New weights in the place of some of a vertex's own.
#pragma once

#include "model/mesh.h"

#include <span>
#include <vector>

namespace sinew {

struct WeightChoice {
  std::vector<bool> joints = {}; // whose weights are replaced, by joint; empty: all
  float mix = 1.0f;              // share of the new weights, 0 to 1

  bool has(std::uint32_t joint) const {
    return joints.empty() || (joint < joints.size() && joints[joint]);
  }
};

// A chosen joint gets `mix` of its new weight and the rest of its own one. The vertex's own other
// weights are scaled to fill what is left. Where it has none, the chosen ones fill all; where those
// are zero too, the vertex keeps its own weights. Both lists sum to 1, and so does the result,
// which is in no order.
std::vector<Influence> combinedWeights(std::span<const Influence> own,
                                       std::span<const Influence> fresh,
                                       const WeightChoice& choice);

} // namespace sinew
