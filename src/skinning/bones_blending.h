// Bones blending (docs/methods.md, section 5; Kavan and Zara 2003): a vertex belongs to a joint and
// makes the fraction t of its rotation, v' = M(p) (c + Q^t (v - c)). Rotations are blended, not
// positions, so a limb keeps its thickness at any twist. Up to three joints per vertex.
#pragma once

#include "skinning/method.h"

namespace sinew {

Method bonesBlendingMethod();

} // namespace sinew
