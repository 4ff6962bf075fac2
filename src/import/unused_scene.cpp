#include "import/unused_scene.h"

#include "import/unused_counts.h"

#include <assimp/material.h>

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

} // namespace

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

} // namespace sinew
