#pragma once

#include "animation/drivers/driver_set.h"

namespace sinew {

// Multiplies all lengths, as scaleModel() does. factor: above 0.
void scaleDrivers(DriverSet& set, float factor);

} // namespace sinew
