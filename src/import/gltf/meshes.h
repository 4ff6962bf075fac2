// The meshes that the nodes of a glTF scene show, with their skins.
#pragma once

#include "import/gltf/document.h"
#include "import/gltf/materials.h"
#include "import/gltf/nodes.h"
#include "import/repairs.h"
#include "model/gltf_origin.h"
#include "model/model.h"

#include <map>

namespace sinew {

// The morph targets of a mesh that a node shows: `count` of the model's, from `first` on.
struct GltfMorphs {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};
using GltfMorphsOfNodes = std::map<std::size_t, GltfMorphs>; // by the node's index in the file

// Appends meshes, morph targets and skins to the model, whose hierarchy and materials are there:
// one mesh for each primitive that a node shows. A skin of the file is one skin of the model; a
// mesh shown twice with the same skin stands in one place, so once. Every showing has morph targets
// of its own (origin: where they stand in the file), since the file's weights belong to nodes.
// Throws GltfError, and Error with ErrorCause::limit beyond the options' number of vertices.
GltfMorphsOfNodes readGltfMeshes(GltfDocument& document, const GltfNodes& nodes,
                                 const GltfMaterials& materials, RepairLog& repairs, Model& model,
                                 GltfOrigin& origin);

} // namespace sinew
