#pragma once

#include "model/model.h"

namespace sinew {

// Multiplies all lengths of rest poses, clips, bind spaces and meshes, not those of springs, which
// files in metres alone state. Rotations and scales stay as they are. factor: above 0.
void scaleModel(Model& model, float factor);

} // namespace sinew
