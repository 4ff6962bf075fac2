// Bones of one mesh: joints with inverse bind matrices, and every vertex's influences made sound.
#pragma once

#include "import/node_tree.h"
#include "model/model.h"

#include <assimp/mesh.h>

namespace sinew {

// What skinning a mesh needs, per vertex of the aiMesh.
struct MeshSkin {
  Skin skin;
  Influences influences;
};

// Needs mesh.triangles and mesh.positions with the aiMesh's vertices (not yet joined). meshNode:
// the mesh's own node; parts without any weight follow it. No joints: nothing in it is
// skinned.
MeshSkin readSkin(const aiMesh& source, const Mesh& mesh, std::uint32_t meshNode, NodeTree& tree,
                  RepairLog& repairs);

} // namespace sinew
