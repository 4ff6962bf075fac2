// What animation layers make of a clip, as a clip: for what plays clips alone.
#pragma once

#include "app/workbench.h"

#include <string>

namespace sinew {

// Played once over the workbench's clip or its held pose, at 30 frames a second. Throws usageError
// if the layers have no end.
Clip layersClip(const Workbench& workbench, std::string name, Wrap wrap);

} // namespace sinew
