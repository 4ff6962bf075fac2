// Linear blend skinning, or vertex blending (docs/methods.md, section 3): v' = sum w_i M(j_i) v.
#pragma once

#include "skinning/method.h"

namespace sinew {

Method lbsMethod();

} // namespace sinew
