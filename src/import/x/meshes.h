// The meshes that the frames of a .x file show, with their skins.
#pragma once

#include "import/repairs.h"
#include "import/unused_counts.h"
#include "import/x/frames.h"
#include "import/x/materials.h"

namespace sinew {

// Appends meshes and skins to the model: one mesh for each material of a mesh. A skinned mesh
// stands in one place, however often it is shown. Bones without a frame get a node in frames.
// Throws XError, and Error with ErrorCause::limit beyond the options' number of vertices.
void readXMeshes(const XDocument& document, XFrames& frames, XMaterials& materials,
                 RepairLog& repairs, UnusedCounts& unused, Model& model);

} // namespace sinew
