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
std::string makeName(const GlbMeshParts& mesh);

// The vertices of a primitive: per vertex of the file that of the model, or kNotInGltf (joint 0, no
// offset).
using GlbVertices = std::vector<std::uint32_t>;
GlbVertices allVertices(const Mesh& mesh);

// JOINTS_n and WEIGHTS_n, as many sets as needed. jointByInfluence: per joint of the mesh's skin
// that of the file's.
void addInfluences(const Mesh& mesh, const GlbVertices& vertices,
                   const std::vector<std::uint32_t>& jointByInfluence, GlbBuffer& buffer,
                   GltfJson& attributes);
// The same for free splines.
void addSplineInfluences(const Mesh& mesh, const GlbVertices& vertices, GlbBuffer& buffer,
                         GltfJson& attributes);

// What a target does to the mesh, as the object of a primitive's "targets". fileFromModel: takes
// the offsets to the file's space. withNormals: the primitive has normals.
GltfJson morphJson(const Mesh& mesh, std::uint32_t target, const GlbVertices& vertices,
                   const mat3& fileFromModel, bool withNormals, GlbBuffer& buffer);

// A whole primitive without material; jointByInfluence as above.
GltfJson primitiveJson(const Model& model, const Mesh& mesh,
                       const std::vector<std::uint32_t>& targets,
                       const std::vector<std::uint32_t>& jointByInfluence, GlbBuffer& buffer);

// The indices of a skin's joints as they are.
std::vector<std::uint32_t> ownJoints(const Model& model, const Mesh& mesh);

// A whole mesh. Materials are those of the model.
GltfJson meshJson(const Model& model, const GlbMeshParts& mesh, GlbBuffer& buffer);

} // namespace sinew
