// A model in the axes and the unit of an FBX file.
#pragma once

#include "model/model.h"

namespace sinew {

// yUp: Z towards the viewer, as Maya, Unity and Unreal expect it. zUp: Y away from the viewer, as
// 3ds Max and Blender have it.
enum class FbxUp : std::uint8_t { y, z };

// In centimetres, where the model says how long its unit is, else in its own numbers. All
// coordinates are converted, those of nodes and bind spaces too: no node is rotated or scaled for
// the conversion.
Model modelInFbxSpace(Model model, FbxUp up);

} // namespace sinew
