// Bones blending (docs/methods.md, section 5; Kavan and Zara 2003): a vertex belongs to a joint and
// makes the fraction t of its rotation, v' = M(p) (c + Q^t (v - c)). Rotations are blended, not
// positions, so a limb keeps its thickness at any twist. Up to three joints per vertex.
#pragma once

#include "skinning/bone_palette.h"
#include "skinning/method.h"

namespace sinew {

Method bonesBlendingMethod();

// M(p) of a joint, by its rows.
MatrixRows parentMatrix(const vec4* rows);

} // namespace sinew
