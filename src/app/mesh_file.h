// A posed mesh as a file other programs read. Both throw Error for positions or normals that are
// not finite.
#pragma once

#include "rig/rig.h"
#include "skinning/method.h"

#include <string>

namespace sinew {

// Binary little-endian PLY with normals and texture coordinates; one vertex per rig vertex, in
// order. Positions as they are: model space, the file's unit.
std::string toPly(const Rig& rig, const SkinnedMesh& posed);

// Wavefront OBJ, one object per mesh of the model, named.
std::string toObj(const Model& model, const Rig& rig, const SkinnedMesh& posed);

} // namespace sinew
