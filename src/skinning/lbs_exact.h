// Linear blending with exact normals: a part of mixtures (docs/methods.md, section 12). With w the
// weights of the bones, a tangent q of the bind surface goes to
//
//   J q = sum_i [ w_i M(i) q + M(i) v (grad w_i . q) ]
//
// Not in the table of methods.
#pragma once

#include "skinning/method.h"

namespace sinew {

const Method& exactLbsMethod();

} // namespace sinew
