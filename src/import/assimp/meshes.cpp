#include "animation/pose.h"
#include "core/color.h"
#include "import/assimp/steps.h"
#include "import/bind_space.h"
#include "import/mesh_finish.h"
#include "import/repairs.h"
#include "import/skin_reader.h"
#include "model/morph_targets.h"

#include <assimp/material.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// From the mesh's values to the target's, which hold the moved vertices themselves.
std::vector<vec3> offsetsTo(const aiVector3D* moved, const std::vector<vec3>& from,
                            RepairLog& repairs) {
  if (moved == nullptr || from.empty()) return {};
  std::vector<vec3> out;
  out.reserve(from.size());
  for (std::size_t v = 0; v < from.size(); ++v) {
    out.push_back(toVec3(moved[v]) - from[v]);
    if (isUsable(out.back())) continue;
    out.back() = vec3(0.0f);
    repairs.add(Repair::morphOffsetNotFinite);
  }
  return out;
}

// The target of a node's i-th anim mesh: parts of one mesh have the same ones in the same order.
std::uint32_t targetAt(std::size_t i, const std::string& name, float weight,
                       std::vector<std::uint32_t>& ofNode, Model& model) {
  if (i < ofNode.size() && model.morphTargets[ofNode[i]].name == name) return ofNode[i];
  const auto target = static_cast<std::uint32_t>(model.morphTargets.size());
  model.morphTargets.push_back({name, weight});
  if (i >= ofNode.size()) ofNode.push_back(target);
  return target;
}

// The morph targets of the meshes at a node, in the order of their anim meshes.
using MorphsOfNodes = std::map<std::uint32_t, std::vector<std::uint32_t>>;

// Assimp's "anim meshes" as morph targets. Fills mesh.morphs, whose positions and normals are
// there, and appends the targets that the node does not have yet: parts of one mesh share them.
// Ones with another number of vertices are left out with a warning.
void readMorphs(const aiMesh& source, std::uint32_t node, Mesh& mesh, RepairLog& repairs,
                MorphsOfNodes& morphs, Model& model) {
  for (unsigned i = 0; i < source.mNumAnimMeshes; ++i) {
    if (source.mAnimMeshes[i] == nullptr) continue;
    const aiAnimMesh& moved = *source.mAnimMeshes[i];
    std::string name = toString(moved.mName);
    if (name.empty()) name = fmt::format("target {}", i);
    float weight = moved.mWeight;
    if (!isUsable(weight)) {
      weight = 0.0f;
      repairs.add(Repair::morphWeightNotFinite);
    }
    const std::uint32_t target = targetAt(i, name, weight, morphs[node], model);
    if (moved.mNumVertices != mesh.positions.size()) {
      model.warnings.push_back(
          fmt::format("morph target '{}' of mesh '{}' has {} vertices, the mesh {}: left out", name,
                      mesh.name, moved.mNumVertices, mesh.positions.size()));
      continue;
    }
    std::vector<vec3> positions = offsetsTo(moved.mVertices, mesh.positions, repairs);
    positions.resize(mesh.positions.size(), vec3(0.0f));
    MorphOffsets offsets =
        sparseOffsets(target, positions, offsetsTo(moved.mNormals, mesh.normals, repairs));
    if (!offsets.vertices.empty()) mesh.morphs.push_back(std::move(offsets));
  }
}

void readTriangles(const aiMesh& source, Mesh& mesh, RepairLog& repairs) {
  mesh.triangles.reserve(source.mNumFaces);
  for (unsigned f = 0; f < source.mNumFaces; ++f) {
    const aiFace& face = source.mFaces[f];
    if (face.mNumIndices != 3) continue; // points and lines
    mesh.triangles.push_back({face.mIndices[0], face.mIndices[1], face.mIndices[2]});
  }
  dropBrokenTriangles(mesh, repairs);
}

// The file's conventions that matter for vertices.
struct VertexSource {
  unsigned coordinateSet = 0; // texture coordinates that the material's texture uses
  bool tangents = false;      // the material shows a normal map
};

void readTexcoords(const aiMesh& source, unsigned set, unsigned count, std::vector<vec2>& out,
                   RepairLog& repairs) {
  if (!source.HasTextureCoords(set)) return;
  for (unsigned v = 0; v < count; ++v) {
    vec2 uv(source.mTextureCoords[set][v].x, source.mTextureCoords[set][v].y);
    if (!std::isfinite(uv.x) || !std::isfinite(uv.y)) {
      uv = vec2(0.0f);
      repairs.add(Repair::texcoordNotFinite);
    }
    out.push_back(uv);
  }
}

void readVertices(const aiMesh& source, const VertexSource& from, Mesh& mesh, RepairLog& repairs) {
  const unsigned count = source.HasPositions() ? source.mNumVertices : 0;
  for (unsigned v = 0; v < count; ++v)
    mesh.positions.push_back(toVec3(source.mVertices[v]));
  if (source.HasNormals())
    for (unsigned v = 0; v < count; ++v)
      mesh.normals.push_back(toVec3(source.mNormals[v]));
  if (from.tangents && source.HasNormals() && source.HasTangentsAndBitangents())
    for (unsigned v = 0; v < count; ++v) {
      const vec3 tangent = toVec3(source.mTangents[v]);
      const vec3 across = glm::cross(mesh.normals[v], tangent);
      const bool mirrored = glm::dot(across, toVec3(source.mBitangents[v])) < 0.0f;
      mesh.tangents.emplace_back(tangent, mirrored ? -1.0f : 1.0f);
    }
  const unsigned set = source.HasTextureCoords(from.coordinateSet) ? from.coordinateSet : 0;
  readTexcoords(source, set, count, mesh.texcoords, repairs);
  const unsigned second = set == 0 ? 1 : 0;
  if (source.HasTextureCoords(set)) readTexcoords(source, second, count, mesh.texcoords1, repairs);
  if (source.HasVertexColors(0))
    for (unsigned v = 0; v < count; ++v) {
      const vec4 c = toVec4(source.mColors[0][v]);
      mesh.colors.emplace_back(linearFromSrgb(vec3(c)), c.w);
    }
}

std::vector<NamedBone> readBones(const aiMesh& source) {
  std::vector<NamedBone> bones;
  for (unsigned i = 0; i < source.mNumBones; ++i) {
    if (source.mBones[i] == nullptr) continue;
    const aiBone& bone = *source.mBones[i];
    NamedBone& out = bones.emplace_back();
    out.name = toString(bone.mName);
    out.jointFromBind = toMat4(bone.mOffsetMatrix);
    for (unsigned w = 0; w < bone.mNumWeights; ++w)
      out.weights.push_back({bone.mWeights[w].mVertexId, bone.mWeights[w].mWeight});
  }
  return bones;
}

class MeshReader {
 public:
  MeshReader(const aiScene& scene, NodeTree& tree, RepairLog& repairs, Model& model)
      : scene_(scene), tree_(tree), repairs_(repairs), model_(model),
        shown_(scene.mNumMeshes, false) {}

  void readNode(const aiNode& node) {
    const std::uint32_t place = tree_.nodeBySource.at(&node);
    for (unsigned i = 0; i < node.mNumMeshes; ++i)
      if (const unsigned index = node.mMeshes[i]; index < scene_.mNumMeshes)
        readMesh(index, place, toString(node.mName));
  }

 private:
  void readMesh(unsigned index, std::uint32_t node, const std::string& nodeName) {
    const aiMesh& source = *scene_.mMeshes[index];
    if (source.HasBones() && shown_[index]) return;
    const bool again = shown_[index];
    shown_[index] = true;
    RepairLog unlisted; // a second instance repeats the first one's repairs
    RepairLog& repairs = again ? unlisted : repairs_;

    Mesh mesh;
    mesh.name = toString(source.mName);
    if (mesh.name.empty()) mesh.name = nodeName;
    mesh.node = node;
    mesh.material = source.mMaterialIndex;
    VertexSource from;
    if (source.mMaterialIndex < scene_.mNumMaterials)
      from.coordinateSet = textureCoordinateSet(*scene_.mMaterials[source.mMaterialIndex]);
    from.tangents = mesh.material < model_.materials.size() &&
                    showsNormalMap(model_, model_.materials[mesh.material]);
    readVertices(source, from, mesh, repairs);
    readMorphs(source, node, mesh, repairs, morphs_, model_);
    readTriangles(source, mesh, repairs);
    if (mesh.triangles.empty()) return;
    if (isStickFigure(source)) return;
    if (source.HasBones()) {
      MeshSkin skin = readSkin(readBones(source), mesh, node, tree_, repairs);
      if (!skin.skin.joints.empty()) {
        moveBindToModelSpace(modelFromNodes(tree_.hierarchy, restPose(tree_.hierarchy)), mesh,
                             skin.skin);
        mesh.skin = static_cast<std::uint32_t>(model_.skins.size());
        mesh.influences = std::move(skin.influences);
        model_.skins.push_back(std::move(skin.skin));
      }
    }
    finishMesh(mesh, repairs);
    appendMesh(std::move(mesh), model_);
  }

  // What Assimp builds to show a skeleton that has no mesh; we draw bones.
  bool isStickFigure(const aiMesh& source) const {
    aiString name;
    return scene_.mNumMeshes == 1 && source.mMaterialIndex < scene_.mNumMaterials &&
           scene_.mMaterials[source.mMaterialIndex]->Get(AI_MATKEY_NAME, name) == AI_SUCCESS &&
           toString(name) == "SkeletonMaterial";
  }

  const aiScene& scene_;
  NodeTree& tree_;
  RepairLog& repairs_;
  Model& model_;
  std::vector<bool> shown_;
  MorphsOfNodes morphs_;
};

} // namespace

void readMeshes(const aiScene& scene, NodeTree& tree, RepairLog& repairs, Model& model) {
  MeshReader reader(scene, tree, repairs, model);
  std::vector<const aiNode*> open{scene.mRootNode};
  while (!open.empty()) {
    const aiNode& node = *open.back();
    open.pop_back();
    if (tree.nodeBySource.contains(&node)) reader.readNode(node);
    for (unsigned i = node.mNumChildren; i-- > 0;)
      if (node.mChildren[i] != nullptr) open.push_back(node.mChildren[i]);
  }
}

} // namespace sinew
