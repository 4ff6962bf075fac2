// Rigid skinning (docs/methods.md, section 2): every vertex follows its strongest joint, v' = M(j)
// v.
#pragma once

#include "skinning/method.h"

namespace sinew {

Method rigidMethod();

} // namespace sinew
