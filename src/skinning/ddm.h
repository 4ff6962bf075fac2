// Direct delta mush (docs/methods.md; Le and Lewis 2019: Direct Delta Mush Skinning and Variants,
// variant 0): what smoothing the linearly blended mesh and putting its details back would give, in
// one step. It smooths any weights, also those of one joint a vertex.
#pragma once

#include "skinning/method.h"

#include <string>

namespace sinew {

Method ddmMethod();

// Attributes of four influences each, by group and texel: (first, xx) and (yy, zz, xy, xz) of each,
// then yz of all. What they are: rig/smoothed_weights.
inline constexpr std::size_t kMomentTexels = 9;
std::string momentName(std::size_t group, std::size_t texel);

} // namespace sinew
