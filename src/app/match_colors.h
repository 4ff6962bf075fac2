// Where transferred weights are from (weights/transfer_weights.h), as colours.
#pragma once

#include "core/transform.h"
#include "weights/transfer_weights.h"

#include <span>
#include <vector>

namespace sinew {

inline constexpr const char* kMatchLegend = "blue: matched, orange: inpainted, red: no match";

// Per vertex, sRGB. `before` vertices that got no weights, grey, come first.
std::vector<vec3> matchColors(std::span<const TransferOrigin> origins, std::size_t before = 0);

} // namespace sinew
