// Weights that spread over the surface: (-Laplacian + H) w_i = H p_i for every bone i (Wareham and
// Lasenby 2008, equation 1, as methods.md has it), one factorisation for all bones.
#pragma once

#include "core/progress.h"
#include "weights/laplacian.h"
#include "weights/sources.h"

#include <span>
#include <vector>

namespace sinew {

// Weights by place, bone after bone: that of bone b at place p is values[b * places + p].
struct WeightField {
  std::size_t places = 0;
  std::vector<float> values;
};

struct DiffusionTimes {
  double factorSeconds = 0.0;
  double solveSeconds = 0.0;
};

// Shells of which no place holds to a bone have no solution: their weights are 0. Elsewhere weights
// are at least 0 and sum to 1 up to rounding. Throws Error where memory does not suffice, and
// Cancelled.
WeightField diffuse(const WeightSurface& surface, const WeightSources& sources, std::size_t bones,
                    DiffusionTimes& times, ProgressMeter* meter = nullptr);

// The sources as they are; 0 where there is none.
WeightField undiffused(const WeightSurface& surface, const WeightSources& sources,
                       std::size_t bones);

// Per shell: whether some place of it holds to a bone.
std::vector<bool> heldShells(const WeightSurface& surface, const WeightSources& sources);

} // namespace sinew
