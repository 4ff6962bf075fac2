#include "core/error.h"
#include "import/assimp/steps.h"
#include "import/format_checks.h"
#include "import/model_folder.h"
#include "import/readers.h"
#include "import/repairs.h"

#include <assimp/Importer.hpp>
#include <assimp/importerdesc.h>
#include <assimp/material.h>
#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

void countMesh(const aiMesh& mesh, const Model& model, UnusedCounts& counts) {
  constexpr unsigned kNoSurface = aiPrimitiveType_POINT | aiPrimitiveType_LINE;
  counts.add("mesh with points or lines", "meshes with points or lines",
             (mesh.mPrimitiveTypes & kNoSurface) != 0 ? 1 : 0);
  const unsigned texcoords = mesh.GetNumUVChannels();
  counts.add("further set of texture coordinates", "further sets of texture coordinates",
             texcoords > 2 ? texcoords - 2 : 0);
  const unsigned colors = mesh.GetNumColorChannels();
  counts.add("further set of vertex colours", "further sets of vertex colours",
             colors > 1 ? colors - 1 : 0);
  const bool mapped = mesh.mMaterialIndex < model.materials.size() &&
                      model.materials[mesh.mMaterialIndex].normalTexture;
  counts.add("set of tangents without a normal map", "sets of tangents without a normal map",
             mesh.HasTangentsAndBitangents() && !mapped ? 1 : 0);
}

bool isShown(aiTextureType type, const Material& material) {
  switch (type) {
  case aiTextureType_BASE_COLOR:
  case aiTextureType_DIFFUSE:
    return true;
  case aiTextureType_NORMALS:
  case aiTextureType_NORMAL_CAMERA:
  case aiTextureType_HEIGHT:
    return material.normalTexture.has_value();
  case aiTextureType_OPACITY:
    return material.texture.has_value();
  case aiTextureType_METALNESS:
  case aiTextureType_DIFFUSE_ROUGHNESS:
    return material.surfaceTexture.has_value();
  case aiTextureType_AMBIENT_OCCLUSION:
    return material.occlusionTexture.has_value();
  case aiTextureType_EMISSIVE:
  case aiTextureType_EMISSION_COLOR:
    return material.emissiveTexture.has_value();
  default:
    return false;
  }
}

void countTextures(const aiMaterial& source, const Material& material, UnusedCounts& counts) {
  std::size_t others = 0;
  std::size_t layers = 0;
  for (unsigned type = aiTextureType_DIFFUSE; type <= AI_TEXTURE_TYPE_MAX; ++type) {
    const auto kind = static_cast<aiTextureType>(type);
    const unsigned count = source.GetTextureCount(kind);
    if (count == 0) continue;
    if (isShown(kind, material))
      layers += count - 1;
    else
      others += count;
  }
  counts.add("texture that has no place in glTF", "textures that have no place in glTF", others);
  counts.add("further layer of a texture", "further layers of textures", layers);
}

// What Assimp found and sinew does not use; empty where all is used. model: with the scene's
// materials, one each, in order.
std::string unusedOfScene(const aiScene& scene, const Model& model) {
  UnusedCounts counts;
  std::size_t cameras = 0, lights = 0;
  for (const Node& node : model.hierarchy.nodes) {
    cameras += node.camera ? 1 : 0;
    lights += node.light ? 1 : 0;
  }
  counts.add("camera", "cameras",
             scene.mNumCameras - std::min<std::size_t>(cameras, scene.mNumCameras));
  counts.add("light", "lights", scene.mNumLights - std::min<std::size_t>(lights, scene.mNumLights));
  for (unsigned i = 0; i < scene.mNumMeshes; ++i)
    countMesh(*scene.mMeshes[i], model, counts);
  for (unsigned i = 0; i < scene.mNumMaterials && i < model.materials.size(); ++i)
    countTextures(*scene.mMaterials[i], model.materials[i], counts);
  for (unsigned i = 0; i < scene.mNumAnimations; ++i)
    counts.add("animation of whole meshes", "animations of whole meshes",
               scene.mAnimations[i]->mNumMeshChannels);
  return counts.line();
}

// From the axes of a file to ours, right-handed and Y up. Assimp converts some formats itself (MD5
// and Blitz3D become right-handed, the first Y up) and leaves others unchanged (SMD, OBJ, BVH). SMD
// has Z up, and Y into the screen.
mat4 modelFromFile(SourceKind kind) {
  if (kind != SourceKind::smd) return mat4(1.0f);
  return {vec4(1, 0, 0, 0), vec4(0, 0, -1, 0), vec4(0, 1, 0, 0), vec4(0, 0, 0, 1)};
}

constexpr std::size_t kMaxNamed = 8; // refused files that are warned of one by one

void warnOfRefused(const SceneFile& read, Model& model) {
  std::size_t count = 0;
  for (const std::string& name : read.refused) {
    if (++count > kMaxNamed) break;
    model.warnings.push_back(fmt::format("'{}' {}", name, ModelFolder::kRefusal));
  }
  if (read.refused.size() > kMaxNamed)
    model.warnings.push_back(fmt::format("{} more files named by the model were not opened",
                                         read.refused.size() - kMaxNamed));
}

// Assimp's "Quake Mesh / 3D GameStudio Mesh Importer (see site)" without the last words.
std::string formatName(std::string name) {
  name = name.substr(0, name.find(" ("));
  for (const std::string_view word : {" Importer", " Loader", " Reader"})
    if (name.ends_with(word)) name.resize(name.size() - word.size());
  return name;
}

} // namespace

std::string assimpFormat(std::string_view extension) {
  const Assimp::Importer importer;
  const std::size_t index = extension.empty()
                                ? std::size_t(-1)
                                : importer.GetImporterIndex(std::string(extension).c_str());
  return index == std::size_t(-1) ? std::string()
                                  : formatName(importer.GetImporterInfo(index)->mName);
}

Model readByAssimp(const SourceFile& file, const ImportOptions& options) {
  const SceneFile read = readScene(file, options);
  const aiScene& scene = *read.scene;

  Model model = startModel(file);
  warnOfRefused(read, model);

  RepairLog repairs;
  reportImport(options, 0.8f, "textures");
  readMaterials(scene, options, model);
  reportImport(options, 0.85f, "meshes");
  NodeTree tree = readNodes(*scene.mRootNode, modelFromFile(file.kind), repairs);
  readMeshes(scene, tree, repairs, model);
  reportImport(options, 0.95f, "animation");
  model.clips = readClips(scene, file.kind, tree, repairs);
  readSceneParts(scene, tree);
  model.hierarchy = std::move(tree.hierarchy);
  if (std::string line = lostParts(file, model); !line.empty())
    model.warnings.push_back(std::move(line));
  if (const std::string line = unusedOfScene(scene, model); !line.empty())
    model.warnings.push_back("not used: " + line);
  model.repairs = repairs.lines();
  return model;
}

Model readRawMesh(const SourceFile& file, const ImportOptions& options) {
  const SceneFile read = readScene(file, options);
  if (read.scene->mNumMeshes != 1)
    throw inputError(file.path.string(),
                     fmt::format("holds {} meshes, not one", read.scene->mNumMeshes));
  const aiMesh& source = *read.scene->mMeshes[0];
  Model model = startModel(file);
  model.hierarchy.nodes = {{"root", kNoNode, {}}};
  model.materials.emplace_back();
  Mesh& mesh = model.meshes.emplace_back();
  for (unsigned v = 0; v < source.mNumVertices; ++v) {
    mesh.positions.push_back(toVec3(source.mVertices[v]));
    if (!isFinite(mesh.positions.back()))
      throw inputError(file.path.string(), fmt::format("vertex {} is not finite", v));
  }
  for (unsigned f = 0; f < source.mNumFaces; ++f) {
    const aiFace& face = source.mFaces[f];
    if (face.mNumIndices != 3) continue; // points and lines
    const Triangle triangle{face.mIndices[0], face.mIndices[1], face.mIndices[2]};
    for (const std::uint32_t corner : triangle)
      if (corner >= mesh.positions.size())
        throw inputError(file.path.string(), fmt::format("a face has no vertex {}", corner));
    mesh.triangles.push_back(triangle);
  }
  mesh.normals = computeNormals(mesh.positions, mesh.triangles);
  return model;
}

} // namespace sinew
