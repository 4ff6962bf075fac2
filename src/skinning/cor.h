// Skinning by centres of rotation (docs/methods.md; Le and Hodgins 2016: Real-time Skeletal
// Skinning with Optimized Centers of Rotation): a vertex rotates by its blended rotation about a
// centre of its own, found once, which moves by linear blending.
#pragma once

#include "skinning/method.h"

namespace sinew {

Method corMethod();

} // namespace sinew
