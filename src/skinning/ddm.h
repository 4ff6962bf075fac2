// Direct delta mush (docs/methods.md; Le and Lewis 2019: Direct Delta Mush Skinning and Variants,
// variant 0): what smoothing the linearly blended mesh and putting its details back would give, in
// one step. It smooths any weights, also those of one joint a vertex.
#pragma once

#include "skinning/method.h"

namespace sinew {

Method ddmMethod();

} // namespace sinew
