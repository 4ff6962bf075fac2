// The meshes that the nodes of a glTF scene show, with their skins.
#pragma once

#include "import/gltf/document.h"
#include "import/gltf/materials.h"
#include "import/gltf/nodes.h"
#include "import/repairs.h"
#include "model/model.h"

namespace sinew {

// Appends meshes and skins to the model, whose hierarchy and materials are there: one mesh for each
// primitive that a node shows. A skin of the file is one skin of the model; a mesh shown twice with
// the same skin stands in one place, so once. Throws GltfError, and Error with ErrorCause::limit
// beyond the options' number of vertices.
void readGltfMeshes(GltfDocument& document, const GltfNodes& nodes, const GltfMaterials& materials,
                    RepairLog& repairs, Model& model);

} // namespace sinew
