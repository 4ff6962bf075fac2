// Free splines as the arc-spline paper's figures show them: the curves with their control points.
#pragma once

#include "figures/scene.h"

namespace sinew {

// In the workbench's pose, over everything.
Overlay splinesOf(const Workbench& bench);

} // namespace sinew
