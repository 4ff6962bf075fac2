// Assimp's meshes as ours: geometry, then skin, then identical vertices joined.
#pragma once

#include "import/node_tree.h"
#include "model/model.h"

#include <assimp/scene.h>

namespace sinew {

// Appends meshes and skins to the model, whose hierarchy and materials are there. A rigid mesh that
// several nodes show becomes several meshes; a skinned one is placed by its skin, so only one.
// May append nodes to the hierarchy (bones that name none).
void readMeshes(const aiScene& scene, NodeTree& tree, RepairLog& repairs, Model& model);

} // namespace sinew
