// Dual quaternion skinning (docs/methods.md, section 4; Kavan et al. 2007, 2008): the joints' rigid
// motions blended as dual quaternions, after a linear blend of what stretches (two phases).
#pragma once

#include "skinning/method.h"

namespace sinew {

Method dqsMethod();

} // namespace sinew
