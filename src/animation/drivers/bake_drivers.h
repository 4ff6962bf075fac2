// What pose drivers make, written into clips, for programs that have no drivers.
#pragma once

#include "animation/drivers/prepared_drivers.h"

namespace sinew {

// In every clip the tracks of driven joints and morph targets become what the drivers make of it:
// linear keys at the clip's own key times and 60 times a second.
void bakeDrivers(Model& model, const PreparedDrivers& drivers);

} // namespace sinew
