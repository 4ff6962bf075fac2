// The straight arm with muscles as morph targets: biceps and triceps swell as the elbow bends, and
// the hand swells and points. For tests and as an example of shapes under every skinning method.
#pragma once

#include "model/model.h"

namespace sinew {

Model makeFlexingArm();

} // namespace sinew
