// Where transferred weights are from (weights/transfer_weights.h), as colours of the target's mesh.
#pragma once

#include "model/model.h"
#include "model/png.h"
#include "weights/transfer_weights.h"

#include <span>

namespace sinew {

// From the front and from the back, each 640 pixels wide: matched vertices blue, inpainted ones
// orange, those of a loose part without a match red. meshes: as meshesAlone() has them. Makes an
// OpenGL context for itself; throws graphicsError without one.
Image pictureOfMatches(const Model& meshes, std::span<const TransferOrigin> origins);

} // namespace sinew
