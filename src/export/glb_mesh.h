// Meshes with their influences as glTF has them.
#pragma once

#include "export/glb_buffer.h"
#include "model/model.h"

#include <string>
#include <vector>

namespace sinew {

// Meshes of the model that are the primitives of one in the file.
struct GlbMeshParts {
  std::vector<const Mesh*> parts;     // at least one
  std::vector<std::uint32_t> targets; // morph targets that move some of them, ascending
};

// Each mesh with triangles alone, but those that share morph targets together: in glTF targets and
// their weights are a mesh's. They have the same skin or, rigid, the same node.
std::vector<GlbMeshParts> glbMeshes(const Model& model);

// "face" of parts "face-0", "face-1", which is how reading names primitives; else the first part's.
std::string nameOf(const GlbMeshParts& mesh);

// material: of the file; its texture requires coordinates.
tinygltf::Mesh glbMesh(const Model& model, const GlbMeshParts& mesh, GlbBuffer& buffer);

} // namespace sinew
