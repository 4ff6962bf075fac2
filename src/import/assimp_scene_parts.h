// Cameras and lights that Assimp reads.
#pragma once

#include "import/node_tree.h"

#include <assimp/scene.h>

namespace sinew {

// Puts them at the nodes of their names. Lights of a kind that glTF lacks (ambient, areas) and
// cameras away from their nodes are left out.
void readSceneParts(const aiScene& scene, NodeTree& tree);

} // namespace sinew
