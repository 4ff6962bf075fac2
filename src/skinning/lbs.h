// Linear blend skinning, or vertex blending (methods section 1): v' = sum w_i M(j_i) v.
#pragma once

#include "skinning/method.h"

namespace sinew {

Method lbsMethod();

} // namespace sinew
