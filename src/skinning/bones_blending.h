// Bones blending (methods section 3; Kavan and Zara 2003): a vertex belongs to a joint and takes a
// share t of its rotation, v' = M(p) (c + Q^t (v - c)). Rotations are blended, not positions, so a
// limb keeps its thickness whatever the twist. Up to three joints a vertex.
#pragma once

#include "skinning/method.h"

namespace sinew {

Method bonesBlendingMethod();

} // namespace sinew
