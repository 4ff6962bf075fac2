// A model seen in other axes.
#pragma once

#include "model/model.h"

namespace sinew {

// Rotates the whole model about the origin: rest poses, clips, bind spaces. rotation: unit.
void rotateModel(Model& model, const quat& rotation);

} // namespace sinew
