// The animations of a glTF file as clips.
#pragma once

#include "import/gltf/document.h"
#include "import/gltf/meshes.h"
#include "import/gltf/nodes.h"
#include "import/repairs.h"
#include "model/gltf_origin.h"
#include "model/model.h"

namespace sinew {

// Appends the clips that move nodes of the scene or morph targets (by node); of others it says in
// Model::warnings what they hold. Keys, steps and cubic splines are kept as they are. Throws
// GltfError.
void readGltfAnimations(GltfDocument& document, const GltfNodes& nodes,
                        const GltfMorphsOfNodes& morphs, RepairLog& repairs, Model& model,
                        GltfOrigin& origin);

} // namespace sinew
