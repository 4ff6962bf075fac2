// Weights that spread over the surface: (-Laplacian + H) w_i = H p_i for every bone i (Wareham and
// Lasenby 2008, equation 1, docs/methods.md, section 9), one factorisation for all bones.
#pragma once

#include "core/progress.h"
#include "weights/initial_weights.h"
#include "weights/laplacian.h"

#include <span>
#include <vector>

namespace sinew {

// Weights of welded vertices, bone by bone: bone b at vertex v is values[b * vertices + v].
struct WeightField {
  std::size_t vertices = 0;
  std::vector<float> values;
};

struct DiffusionTimes {
  double factorSeconds = 0.0;
  double solveSeconds = 0.0;
};

// A connected component without an anchored vertex has no solution: its weights are 0. Elsewhere
// weights are at least 0 and sum to 1 up to rounding. Throws Error if memory does not suffice, and
// Cancelled.
WeightField diffuse(const WeightSurface& surface, const InitialWeights& initial, std::size_t bones,
                    DiffusionTimes& times, ProgressMeter* meter = nullptr);

// The initial weights without diffusion; 0 where there are none.
WeightField undiffused(const WeightSurface& surface, const InitialWeights& initial,
                       std::size_t bones);

// Per connected component: whether it has an anchored vertex.
std::vector<bool> anchoredComponents(const WeightSurface& surface, const InitialWeights& initial);

} // namespace sinew
