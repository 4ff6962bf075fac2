// How a crowd is drawn, as options of `bench` and of the window's stress scene.
#pragma once

#include "commands/command.h"
#include "crowd/crowd_mesh.h"

namespace sinew {

void addCrowdDrawing(Command& command, CrowdDrawing& drawing);

} // namespace sinew
