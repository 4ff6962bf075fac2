// What a method makes of an elbow: a picture that tells the methods apart.
#pragma once

#include "render/image.h"
#include "skinning/method.h"

namespace sinew {

// The built-in arm, its elbow bent and twisted, by the method with its defaults. Takes a current
// OpenGL context.
Image elbowPicture(const Method& method, int width, int height);

} // namespace sinew
