// Pictures drawn as those of the figures, for other parts of the program.
#pragma once

#include "model/model.h"
#include "render/image.h"
#include "skinning/method.h"
#include "weights/transfer_weights.h"

#include <span>

namespace sinew {

// Where transferred weights are from, as colours of the target's mesh: from the front and from the
// back, each 640 pixels wide: matched vertices blue, inpainted ones orange, those of a loose part
// without a match red. meshes: as meshesAlone() has them. Makes an OpenGL context for itself;
// throws graphicsError without one.
Image pictureOfMatches(const Model& meshes, std::span<const TransferOrigin> origins);

// What a method makes of an elbow: a picture that tells the methods apart. The built-in arm, its
// elbow bent and twisted, by the method with its defaults. Takes a current OpenGL context.
Image elbowPicture(const Method& method, int width, int height);

} // namespace sinew
