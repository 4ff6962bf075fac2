// The modifier of velocity skinning (velocity_displacement.h): p' = p + s sum_j w_j D_j (p, 1),
// with the vertex's strength s and its weights w_j. The normal is that of this map, without the
// growth of weights and strength across the surface.
#pragma once

#include "skinning/method.h"

namespace sinew {

const Method& velocityModifier(); // for modified()

} // namespace sinew
