#include "import/gltf/materials.h"

#include "import/gltf/data_uri.h"
#include "import/material_reader.h"
#include "import/texture_reader.h"

#include <fmt/format.h>
#include <glm/common.hpp>

#include <cmath>

namespace sinew {
namespace {

class GltfMaterialReader {
 public:
  GltfMaterialReader(GltfDocument& document, Model& model)
      : document_(document), textures_(document.options(), model) {}

  Material read(const GltfJson& source, GltfTexcoords& texcoords) {
    Material material;
    material.name = textIn(source, "name");
    const GltfJson* older = extensionIn(source, "KHR_materials_pbrSpecularGlossiness");
    const GltfJson& pbr = objectIn(source, "pbrMetallicRoughness");
    const GltfJson& base = older != nullptr ? *older : pbr;
    const char* colorKey = older != nullptr ? "diffuseFactor" : "baseColorFactor";
    const char* textureKey = older != nullptr ? "diffuseTexture" : "baseColorTexture";
    material.baseColor = vec4(1.0f);
    if (const auto c = numbersIn(base, colorKey, 4); !c.empty())
      material.baseColor = glm::clamp(vec4(c[0], c[1], c[2], c[3]), 0.0f, 1.0f);
    if (memberIn(base, textureKey) != nullptr)
      material.texture = readTexture(objectIn(base, textureKey), texcoords);
    setRoughness(older != nullptr ? 1.0f - numberIn(base, "glossinessFactor", 1.0f)
                                  : numberIn(pbr, "roughnessFactor", 1.0f),
                 material);
    if (extensionIn(source, "KHR_materials_unlit") != nullptr) material.specular = 0.0f;
    material.doubleSided = flagIn(source, "doubleSided");
    if (drawsNormalMap(source)) {
      const GltfJson& normal = objectIn(source, "normalTexture");
      GltfTexcoords own;
      material.normalTexture = readTexture(normal, own);
      material.normalScale = usableNumber(normal, "scale", 1.0f);
      if (!material.texture) texcoords = own;
    }
    const std::string alpha = textIn(source, "alphaMode");
    if (alpha == "MASK") material.alphaMode = AlphaMode::mask;
    if (alpha == "BLEND") material.alphaMode = AlphaMode::blend;
    material.alphaCutoff = usableNumber(source, "alphaCutoff", 0.5f);
    if (material.alphaMode == AlphaMode::opaque) material.baseColor.w = 1.0f;
    return material;
  }

 private:
  // A detail of the picture for which no file is refused.
  static float usableNumber(const GltfJson& source, const char* name, float otherwise) {
    const GltfJson* number = memberIn(source, name);
    return number != nullptr && number->is_number() ? numberIn(source, name, otherwise) : otherwise;
  }

  std::optional<std::uint32_t> readTexture(const GltfJson& use, GltfTexcoords& texcoords) {
    texcoords.set = countIn(use, "texCoord", 0);
    if (const GltfJson* transform = extensionIn(use, "KHR_texture_transform"))
      readTransform(*transform, texcoords);
    const auto index = indexIn(use, "index");
    if (!index) return std::nullopt;
    const auto image = indexIn(document_.item("textures", *index), "source");
    if (!image)
      return textures_.lost(fmt::format("texture {}", *index),
                            "has only an image of a kind that sinew does not read");
    return readImage(*image);
  }

  static void readTransform(const GltfJson& source, GltfTexcoords& texcoords) {
    texcoords.set = countIn(source, "texCoord", texcoords.set);
    const auto offset = numbersIn(source, "offset", 2);
    const auto scale = numbersIn(source, "scale", 2);
    const float rotation = numberIn(source, "rotation", 0.0f);
    const float u = scale.empty() ? 1.0f : scale[0];
    const float v = scale.empty() ? 1.0f : scale[1];
    const float c = std::cos(rotation);
    const float s = std::sin(rotation);
    // Counter-clockwise where v points down.
    texcoords.transform = glm::mat3x2(vec2(c * u, -s * u), vec2(s * v, c * v),
                                      offset.empty() ? vec2(0.0f) : vec2(offset[0], offset[1]));
  }

  std::uint32_t readImage(std::size_t index) {
    const GltfJson& source = document_.item("images", index);
    const std::string uri = textIn(source, "uri");
    std::string name = textIn(source, "name");
    if (name.empty()) name = fmt::format("image {}", index);
    const std::string key = fmt::format("*{}", index); // no file of that name is meant
    if (!uri.empty()) {
      const auto data = bytesOfDataUri(uri);
      return data ? textures_.embedded(key, name, *data) : textures_.file(uri);
    }
    const auto view = indexIn(source, "bufferView");
    if (!view) return textures_.lost(name, "has neither a URI nor bytes");
    return textures_.embedded(key, name, document_.view(*view));
  }

  GltfDocument& document_;
  TextureReader textures_;
};

} // namespace

bool drawsNormalMap(const GltfJson& material) {
  if (memberIn(material, "normalTexture") == nullptr) return false;
  const GltfJson& normal = objectIn(material, "normalTexture");
  const GltfJson* older = extensionIn(material, "KHR_materials_pbrSpecularGlossiness");
  const char* key = older != nullptr ? "diffuseTexture" : "baseColorTexture";
  const GltfJson& holder = older != nullptr ? *older : objectIn(material, "pbrMetallicRoughness");
  if (memberIn(holder, key) == nullptr) return true;
  const GltfJson& base = objectIn(holder, key);
  const GltfJson* a = extensionIn(normal, "KHR_texture_transform");
  const GltfJson* b = extensionIn(base, "KHR_texture_transform");
  if ((a == nullptr) != (b == nullptr) || (a != nullptr && *a != *b)) return false;
  return countIn(normal, "texCoord", 0) == countIn(base, "texCoord", 0);
}

GltfMaterials readGltfMaterials(GltfDocument& document, Model& model) {
  GltfMaterials out;
  GltfMaterialReader reader(document, model);
  for (std::size_t i = 0; i < document.count("materials"); ++i)
    model.materials.push_back(
        reader.read(document.item("materials", i), out.texcoords.emplace_back()));
  for (const Material& material : model.materials)
    out.normalMaps.push_back(showsNormalMap(model, material));
  out.fallback = static_cast<std::uint32_t>(model.materials.size());
  model.materials.emplace_back();
  return out;
}

} // namespace sinew
