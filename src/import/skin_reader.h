// Bones of one mesh, which name their nodes: joints with inverse bind matrices, and every vertex's
// influences made sound.
#pragma once

#include "import/append_node.h"
#include "import/repairs.h"
#include "model/model.h"

#include <span>

namespace sinew {

// A bone as Assimp and DirectX files have it.
struct NamedBone {
  struct Weight {
    std::uint32_t vertex = 0;
    float weight = 0.0f;
  };
  std::string name;
  mat4 jointFromBind{1.0f};
  std::vector<Weight> weights;
};

// What skinning a mesh needs, per vertex of it.
struct MeshSkin {
  Skin skin;
  Influences influences;
};

// Needs mesh.triangles and mesh.positions with the vertices that the bones name (not yet joined).
// meshNode: the mesh's own node; parts without any weight follow it. A bone without a node gets one
// in the hierarchy. No joints: nothing in it is skinned.
MeshSkin readSkin(std::span<const NamedBone> bones, const Mesh& mesh, std::uint32_t meshNode,
                  NamedNodes& nodes, RepairLog& repairs);

} // namespace sinew
