// The steps of reading a file by Assimp.
#pragma once

#include "core/transform.h"
#include "import/append_node.h"
#include "import/import_model.h"
#include "import/repairs.h"
#include "import/source_kind.h"

#include <assimp/Importer.hpp>
#include <assimp/scene.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace sinew {

// Assimp's vectors, quaternions and matrices as ours. Assimp stores matrices by rows.
inline vec3 toVec3(const aiVector3D& v) {
  return {v.x, v.y, v.z};
}
inline vec4 toVec4(const aiColor4D& c) {
  return {c.r, c.g, c.b, c.a};
}
inline quat toQuat(const aiQuaternion& q) {
  return {q.w, q.x, q.y, q.z};
}
inline mat4 toMat4(const aiMatrix4x4& m) {
  return {vec4(m.a1, m.b1, m.c1, m.d1), vec4(m.a2, m.b2, m.c2, m.d2), vec4(m.a3, m.b3, m.c3, m.d3),
          vec4(m.a4, m.b4, m.c4, m.d4)};
}
inline std::string toString(const aiString& s) {
  return {s.data, s.length};
}

// A file's scene, before it becomes a Model.
struct SceneFile {
  SourceFile file;
  std::unique_ptr<Assimp::Importer> importer; // owns the scene
  const aiScene* scene = nullptr;             // has a root node; polygons are triangles
  std::set<std::string> refused;              // files it names that were not opened (ModelFolder)
};

// Runs Assimp. Throws inputError with its reason in one readable line, Error with
// ErrorCause::limit, Cancelled. Assimp's validation step is left out on purpose: it refuses good
// files (a key one frame after the end, a skeleton without a mesh). What it would have found is
// repaired by the readers.
SceneFile readScene(const SourceFile& file, const ImportOptions& options);

// Assimp's node tree as our hierarchy, and where each of its nodes went.
struct NodeTree : NamedNodes {
  // The node that the meshes of a node belong to.
  std::unordered_map<const aiNode*, std::uint32_t> nodeBySource;
  // A sheared node's inner half and its outer one, which an animation of the node must undo.
  std::map<std::uint32_t, std::uint32_t> stretchByNode;
};

// modelFromFile transforms the whole tree; if it is not the identity it becomes a node above the
// root.
NodeTree readNodes(const aiNode& root, const mat4& modelFromFile, RepairLog& repairs);

// Puts cameras and lights at the nodes of their names. Lights of a kind that glTF lacks (ambient,
// areas) and cameras away from their nodes are left out.
void readSceneParts(const aiScene& scene, NodeTree& tree);

// One material per aiMaterial, in order, and at least one. Fills materials, textures and warnings.
void readMaterials(const aiScene& scene, const ImportOptions& options, Model& model);

// The set of texture coordinates that the material's base colour texture uses.
unsigned textureCoordinateSet(const aiMaterial& material);

// Appends meshes and skins to the model, whose hierarchy and materials are there. A rigid mesh that
// several nodes show becomes several meshes; a skinned one is placed by its skin, so only one.
// May append nodes to the hierarchy (bones that name none).
void readMeshes(const aiScene& scene, NodeTree& tree, RepairLog& repairs, Model& model);

// Clips: seconds, sorted keys, unit quaternions, real nodes.
std::vector<Clip> readClips(const aiScene& scene, SourceKind kind, const NodeTree& tree,
                            RepairLog& repairs);

} // namespace sinew
