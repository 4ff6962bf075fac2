// The steps of reading a .x file, after its frames.
#pragma once

#include "import/repairs.h"
#include "import/x/frames.h"
#include "import/x/materials.h"

namespace sinew {

// Appends meshes and skins to the model: one mesh for each material of a mesh. A skinned mesh
// stands in one place, however often it is shown. Bones without a frame get a node in frames.
// Throws XError, and Error with ErrorCause::limit beyond the options' number of vertices.
void readXMeshes(const XDocument& document, XFrames& frames, XMaterials& materials,
                 RepairLog& repairs, UnusedCounts& unused, Model& model);

// Appends a clip for each animation set, and one for animations outside of sets. Keys of matrices
// become those of translation, rotation and scale, as Direct3D's own player makes them; between
// keys all are linear. Throws XError where keys have other numbers of values than their type.
void readXClips(const XDocument& document, const XFrames& frames, RepairLog& repairs,
                UnusedCounts& unused, Model& model);

} // namespace sinew
