// Initial weights, from which weights spread over the surface (diffusion.h): per welded vertex the
// bones it belongs to, and how firmly it is anchored to these weights.
#pragma once

#include "core/lists.h"
#include "weights/surface.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// The fraction of automaticWeights()'s progress at which the initial weights are complete.
inline constexpr float kInitialWeightsEnd = 0.5f;

// Per welded vertex its bones: weights that sum to 1, or none.
struct InitialWeights : Lists<Influence> {
  // Per welded vertex: H_jj, 1 / square length; 0 where no bone is visible, and then no weights.
  std::vector<double> anchoring;
};

} // namespace sinew
