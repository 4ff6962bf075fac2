#include "core/color.h"
#include "import/assimp/steps.h"
#include "import/material_rules.h"
#include "import/texture_reader.h"

#include <assimp/material.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>

namespace sinew {
namespace {

std::optional<float> number(const aiMaterial& source, const char* key, unsigned type,
                            unsigned index) {
  ai_real value = 0;
  if (source.Get(key, type, index, value) != AI_SUCCESS || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::optional<vec4> color(const aiMaterial& source, const char* key, unsigned type,
                          unsigned index) {
  aiColor4D value(0, 0, 0, 1);
  if (source.Get(key, type, index, value) != AI_SUCCESS) return std::nullopt;
  const vec4 c = toVec4(value);
  for (int i = 0; i < 4; ++i)
    if (!std::isfinite(c[i])) return std::nullopt;
  return glm::clamp(c, 0.0f, 1.0f);
}

// Uncompressed texels, which Assimp keeps as blue, green, red, alpha.
Image fromTexels(const aiTexture& source) {
  Image image{source.mWidth, source.mHeight, {}};
  const std::size_t count = std::size_t{image.width} * image.height;
  image.rgba.reserve(4 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const aiTexel& texel = source.pcData[i];
    image.rgba.insert(image.rgba.end(), {texel.r, texel.g, texel.b, texel.a});
  }
  return image;
}

// The texture that a material names: within the file or beside it.
std::uint32_t readTexture(const aiScene& scene, const std::string& name, TextureReader& textures) {
  const aiTexture* source = scene.GetEmbeddedTexture(name.c_str());
  if (source == nullptr) return textures.file(name);
  const std::string path = source->mFilename.length > 0 ? source->mFilename.C_Str() : name;
  if (source->pcData == nullptr) return textures.embedded(name, path, std::string_view());
  if (source->mHeight > 0)
    return textures.embedded(name, path, source->mWidth, source->mHeight,
                             [&] { return fromTexels(*source); });
  return textures.embedded(name, path,
                           {reinterpret_cast<const char*>(source->pcData), source->mWidth});
}

struct Slot {
  std::string path;
  unsigned coordinateSet = 0;
};

std::optional<Slot> colorTexture(const aiMaterial& source) {
  for (const aiTextureType type : {aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE}) {
    aiString path;
    unsigned set = 0;
    if (source.GetTexture(type, 0, &path, nullptr, &set) != AI_SUCCESS || path.length == 0)
      continue;
    return Slot{toString(path), set};
  }
  return std::nullopt;
}

// Colours are what a painting program shows, sRGB.
vec4 baseColor(const aiMaterial& source, bool textured) {
  const vec3 diffuse =
      linearFromSrgb(vec3(color(source, AI_MATKEY_COLOR_DIFFUSE).value_or(vec4(0.9f))));
  // The texture replaces the colour, which many exporters leave grey or black.
  vec4 base = textured ? vec4(1.0f) : vec4(diffuse, 1.0f);
  const float opacity = number(source, AI_MATKEY_OPACITY).value_or(1.0f);
  // Fully transparent means, in practice, that the exporter wrote transparency for opacity.
  base.w = opacity > 0.01f ? std::min(opacity, 1.0f) : 1.0f;
  return base;
}

void readHighlight(const aiMaterial& source, Material& material) {
  const float shininess = number(source, AI_MATKEY_SHININESS).value_or(0.0f);
  if (shininess > 1.0f) setShininess(shininess, material);
  if (const auto specular = color(source, AI_MATKEY_COLOR_SPECULAR))
    material.specular = std::min(0.3f, (specular->x + specular->y + specular->z) / 3.0f);
}

// A slot for heights may hold a normal map.
void readNormalMap(const aiScene& scene, const aiMaterial& source, TextureReader& textures,
                   const Model& model, Material& material) {
  for (const aiTextureType type :
       {aiTextureType_NORMALS, aiTextureType_NORMAL_CAMERA, aiTextureType_HEIGHT}) {
    aiString path;
    if (source.GetTexture(type, 0, &path) != AI_SUCCESS || path.length == 0) continue;
    const std::uint32_t texture = readTexture(scene, toString(path), textures);
    if (type == aiTextureType_HEIGHT && !isNormalMap(model.textures[texture])) continue;
    material.normalTexture = texture;
    return;
  }
}

// The first image that exists in the slots and has the texture coordinates of the base colour.
std::optional<std::uint32_t> furtherTexture(const aiScene& scene, const aiMaterial& source,
                                            std::initializer_list<aiTextureType> slots,
                                            std::optional<unsigned>& coordinateSet,
                                            TextureReader& textures, const Model& model) {
  for (const aiTextureType slot : slots) {
    aiString path;
    unsigned set = 0;
    if (source.GetTexture(slot, 0, &path, nullptr, &set) != AI_SUCCESS || path.length == 0)
      continue;
    if (coordinateSet.value_or(set) != set) continue;
    const std::uint32_t texture = readTexture(scene, toString(path), textures);
    if (!model.textures[texture].found) continue;
    coordinateSet = set;
    return texture;
  }
  return std::nullopt;
}

// Opacity, metalness, roughness, occlusion and emission. A texture replaces its factor. A lightmap
// is no occlusion.
void readOtherTextures(const aiScene& scene, const aiMaterial& source,
                       std::optional<unsigned> coordinateSet, TextureReader& textures,
                       const Model& model, Material& material) {
  const auto texture = [&](std::initializer_list<aiTextureType> slots) {
    return furtherTexture(scene, source, slots, coordinateSet, textures, model);
  };
  // Where the image of the base colour is missing, a checkerboard stays whole.
  const bool isMissing = material.texture && !model.textures[*material.texture].found;
  if (const auto opacity = isMissing ? std::nullopt : texture({aiTextureType_OPACITY});
      opacity && opacity != material.texture) {
    material.texture = textures.joined(material.texture, opacity, opacityImage);
    const AlphaMode mode = chooseAlphaMode(model.textures[*material.texture].image);
    if (mode != AlphaMode::opaque) material.alphaMode = mode;
  }
  const auto metalness = texture({aiTextureType_METALNESS});
  const auto roughness = texture({aiTextureType_DIFFUSE_ROUGHNESS});
  const auto factor = [&](const char* key, unsigned type, unsigned index) {
    const auto value = number(source, key, type, index);
    return value && *value >= 0.0f && *value <= 1.0f ? value : std::nullopt;
  };
  if (const auto value = factor(AI_MATKEY_ROUGHNESS_FACTOR)) setRoughness(*value, material);
  material.metallic = factor(AI_MATKEY_METALLIC_FACTOR).value_or(material.metallic);
  if (metalness) material.metallic = 1.0f;
  if (roughness) material.roughness = 1.0f;
  if (metalness && metalness == roughness)
    material.surfaceTexture = metalness; // holds both, as in glTF
  else if (metalness || roughness)
    material.surfaceTexture = textures.joined(roughness, metalness, surfaceImage);
  material.occlusionTexture = texture({aiTextureType_AMBIENT_OCCLUSION});
  material.emissiveTexture = texture({aiTextureType_EMISSIVE, aiTextureType_EMISSION_COLOR});
  const vec3 emission(color(source, AI_MATKEY_COLOR_EMISSIVE).value_or(vec4(0.0f)));
  material.emissive = material.emissiveTexture ? vec3(1.0f) : linearFromSrgb(emission);
}

Material readMaterial(const aiScene& scene, const aiMaterial& source, TextureReader& textures,
                      const Model& model) {
  Material material;
  aiString name;
  if (source.Get(AI_MATKEY_NAME, name) == AI_SUCCESS) material.name = toString(name);
  if (material.name == AI_DEFAULT_MATERIAL_NAME) return {}; // Assimp's, where the file has none
  std::optional<unsigned> coordinateSet;
  if (const auto slot = colorTexture(source)) {
    material.texture = readTexture(scene, slot->path, textures);
    coordinateSet = slot->coordinateSet;
  }
  material.baseColor = baseColor(source, material.texture.has_value());
  readHighlight(source, material);
  int twoSided = 0;
  material.doubleSided = source.Get(AI_MATKEY_TWOSIDED, twoSided) == AI_SUCCESS && twoSided != 0;
  setAlphaByContents(material.texture ? &model.textures[*material.texture] : nullptr, material);
  readOtherTextures(scene, source, coordinateSet, textures, model, material);
  readNormalMap(scene, source, textures, model, material);
  return material;
}

} // namespace

void readMaterials(const aiScene& scene, const ImportOptions& options, Model& model) {
  TextureReader textures(options, model);
  for (unsigned i = 0; i < scene.mNumMaterials; ++i)
    model.materials.push_back(readMaterial(scene, *scene.mMaterials[i], textures, model));
  if (model.materials.empty()) model.materials.emplace_back();
}

unsigned textureCoordinateSet(const aiMaterial& material) {
  const auto slot = colorTexture(material);
  return slot && slot->coordinateSet < AI_MAX_NUMBER_OF_TEXTURECOORDS ? slot->coordinateSet : 0;
}

} // namespace sinew
