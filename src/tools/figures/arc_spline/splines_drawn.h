// Free splines drawn as in the arc-spline paper's figures: the curves with their control points.
#pragma once

#include "tools/figures/scene.h"

namespace sinew {

// In the workbench's pose, over everything.
Overlay drawSplines(const Workbench& workbench);

} // namespace sinew
