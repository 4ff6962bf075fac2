// What a workbench shows for other programs: a posed mesh as a file, and layers as a clip.
#pragma once

#include "app/workbench.h"
#include "rig/rig.h"
#include "skinning/method.h"

#include <string>

namespace sinew {

// Both meshes throw Error for positions or normals that are not finite.

// Binary little-endian PLY with normals and texture coordinates; one vertex per rig vertex, in
// order. Positions as they are: model space, the file's unit.
std::string toPly(const Rig& rig, const SkinnedMesh& posed);

// Wavefront OBJ, one object per mesh of the model, named.
std::string toObj(const Model& model, const Rig& rig, const SkinnedMesh& posed);

// What animation layers make of a clip, as a clip: for what plays clips alone. Played once over the
// workbench's clip or its held pose, at 30 frames a second. Throws usageError if the layers have no
// end.
Clip layersClip(const Workbench& workbench, std::string name, Wrap wrap);

} // namespace sinew
