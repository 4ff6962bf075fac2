// The skins of files as a Model needs them: joints with inverse bind matrices, and every vertex's
// influences made sound.
#pragma once

#include "import/append_node.h"
#include "import/repairs.h"
#include "model/mesh.h"
#include "model/model.h"

#include <functional>
#include <span>
#include <vector>

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

// Merges what one vertex says about one joint, makes the weights sum to one and sorts them by
// falling weight. Weights are positive and finite.
void tidyInfluences(std::vector<Influence>& vertex, RepairLog& repairs);

// vertices: as many as mesh.positions, tidy. Those without weights take those of the nearest
// weighted ones along the surface; vertices at one place count as connected. What no weighted
// vertex is connected to follows the fallback joint, which is asked for only then.
void bindUnweighted(const Mesh& mesh, std::vector<std::vector<Influence>>& vertices,
                    const std::function<std::uint32_t()>& fallbackJoint, RepairLog& repairs);

// Whether a matrix cannot be inverted in single precision, or is not finite.
bool isSingular(const mat4& m);

} // namespace sinew
