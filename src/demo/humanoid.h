// A stylised human figure, 1.70 m tall, in T-pose on y = 0, facing +Z, its left side towards +X:
// the model the program starts with. One smooth closed skin of a few thousand vertices, divided
// into meshes by clothing, and rigid eyes and brows on the head. Clips: idle, walk, wave.
#pragma once

#include "model/model.h"

namespace sinew {

Model makeHumanoid();

} // namespace sinew
