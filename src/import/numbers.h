// The last step of every import: numbers that cannot be computed with (usable.h) are replaced, so
// that nothing behind it meets NaN or infinity.
#pragma once

#include "model/model.h"

namespace sinew {

// Positions, transforms and the like become neutral (zero, identity), keys are dropped, and a line
// of Model::repairs says how many there were. What readers have repaired before stays as it is.
void repairNumbers(Model& model);

} // namespace sinew
