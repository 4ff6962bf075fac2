// The axes of an FBX file's coordinates, and their conversion to ours: right-handed, Y up.
#pragma once

#include "core/transform.h"

#include <array>

namespace sinew {

// FBX names the axis (0 x, 1 y, 2 z) and sign of "right", "up" and "towards the viewer".
struct FbxAxes {
  std::array<int, 3> axis{0, 1, 2};
  std::array<int, 3> sign{1, 1, 1};
};
// The identity where they are no coordinate system.
mat4 modelFromFbx(const FbxAxes& axes);

} // namespace sinew
