// The last steps of every import, whatever the model was read from.
#pragma once

#include "model/model.h"

namespace sinew {

// Replaces numbers that cannot be computed with (isUsable()), so that nothing behind the import
// meets NaN or infinity. Positions, transforms and the like become neutral (zero, identity), keys
// are dropped, and a line of Model::repairs says how many there were. What readers have repaired
// before stays as it is.
void repairNumbers(Model& model);

// Makes every name, repair and warning of the model printable() (core/text.h), so that none reaches
// a terminal, a table or a list as anything but one line of text. Names of nodes and clips stay
// unique.
void makeNamesPrintable(Model& model);

} // namespace sinew
