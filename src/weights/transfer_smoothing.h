// Smooths transferred weights over the target's surface: the optional last step of weight transfer
// by inpainting (transfer_weights.h).
#pragma once

#include "weights/surface.h"

#include <cstdint>
#include <vector>

namespace sinew {

// The chosen welded vertices and all that are connected to one of them by a path along edges that
// is no longer than `distance`.
std::vector<bool> grownBy(const WeightSurface& surface, std::vector<bool> chosen, float distance);

// Every step moves the weights of the chosen vertices by a fifth towards the mean of their
// neighbours along edges, all at once, so that the order of vertices does not matter. Weights keep
// their sum; nothing passes between parts that are not connected. weights: per welded vertex.
void smoothWeights(const WeightSurface& surface, const std::vector<bool>& chosen,
                   std::uint32_t steps, std::vector<std::vector<Influence>>& weights);

} // namespace sinew
