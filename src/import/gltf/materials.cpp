#include "import/gltf/materials.h"

#include "import/material_rules.h"
#include "import/texture_reader.h"

#include <fmt/format.h>
#include <glm/common.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// The texture whose coordinates all others of a material have to share.
const GltfJson& leadingTexture(const GltfJson& material) {
  const GltfJson* older = extensionIn(material, "KHR_materials_pbrSpecularGlossiness");
  const GltfJson& pbr = objectIn(material, "pbrMetallicRoughness");
  if (older != nullptr && memberIn(*older, "diffuseTexture") != nullptr)
    return objectIn(*older, "diffuseTexture");
  if (older == nullptr && memberIn(pbr, "baseColorTexture") != nullptr)
    return objectIn(pbr, "baseColorTexture");
  for (const char* slot : {"normalTexture", "occlusionTexture", "emissiveTexture"})
    if (memberIn(material, slot) != nullptr) return objectIn(material, slot);
  return objectIn(pbr, "metallicRoughnessTexture");
}

bool sameTexcoords(const GltfJson& texture, const GltfJson& other) {
  const GltfJson* a = extensionIn(texture, "KHR_texture_transform");
  const GltfJson* b = extensionIn(other, "KHR_texture_transform");
  if ((a == nullptr) != (b == nullptr) || (a != nullptr && *a != *b)) return false;
  return countIn(texture, "texCoord", 0) == countIn(other, "texCoord", 0);
}

// The first of a material's textures that does not share the leading one's coordinates.
const GltfJson* secondTexture(const GltfJson& material) {
  const GltfJson& pbr = objectIn(material, "pbrMetallicRoughness");
  if (memberIn(pbr, "metallicRoughnessTexture") != nullptr &&
      !drawsTexture(material, pbr, "metallicRoughnessTexture"))
    return &objectIn(pbr, "metallicRoughnessTexture");
  for (const char* slot : {"normalTexture", "occlusionTexture", "emissiveTexture"})
    if (memberIn(material, slot) != nullptr && !drawsTexture(material, material, slot))
      return &objectIn(material, slot);
  return nullptr;
}

class GltfMaterialReader {
 public:
  GltfMaterialReader(GltfDocument& document, Model& model)
      : document_(document), model_(model), textures_(document.options(), model) {}

  Material read(const GltfJson& source, GltfTexcoords& texcoords,
                std::optional<GltfTexcoords>& second) {
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
    if (older == nullptr) material.metallic = usableNumber(pbr, "metallicFactor", 1.0f);
    if (extensionIn(source, "KHR_materials_unlit") != nullptr) {
      material.specular = material.metallic = 0.0f;
      material.roughness = 1.0f;
    }
    material.doubleSided = flagIn(source, "doubleSided");
    if (drawsNormalMap(source)) {
      const GltfJson& normal = objectIn(source, "normalTexture");
      GltfTexcoords own;
      material.normalTexture = readTexture(normal, own);
      material.normalScale = usableNumber(normal, "scale", 1.0f);
      if (!material.texture) texcoords = own;
    }
    readFurther(source, texcoords, material);
    readSecond(source, second, material);
    const std::string alpha = textIn(source, "alphaMode");
    if (alpha == "MASK") material.alphaMode = AlphaMode::mask;
    if (alpha == "BLEND") material.alphaMode = AlphaMode::blend;
    material.alphaCutoff = usableNumber(source, "alphaCutoff", 0.5f);
    if (material.alphaMode == AlphaMode::opaque) material.baseColor.w = 1.0f;
    return material;
  }

 private:
  // Metalness and roughness by a texture, occlusion, and light of its own.
  void readFurther(const GltfJson& source, GltfTexcoords& texcoords, Material& material) {
    const GltfJson& pbr = objectIn(source, "pbrMetallicRoughness");
    const auto texture = [&](const GltfJson& holder,
                             const char* key) -> std::optional<std::uint32_t> {
      if (!drawsTexture(source, holder, key)) return std::nullopt;
      GltfTexcoords own;
      const auto read = readTexture(objectIn(holder, key), own);
      if (!material.texture && !material.normalTexture) texcoords = own;
      return read && model_.textures[*read].found ? read : std::nullopt;
    };
    if (extensionIn(source, "KHR_materials_pbrSpecularGlossiness") == nullptr)
      material.surfaceTexture = texture(pbr, "metallicRoughnessTexture");
    material.occlusionTexture = texture(source, "occlusionTexture");
    if (material.occlusionTexture)
      material.occlusionStrength =
          usableNumber(objectIn(source, "occlusionTexture"), "strength", 1.0f);
    float strength = 1.0f;
    if (const GltfJson* glow = extensionIn(source, "KHR_materials_emissive_strength"))
      strength = usableNumber(*glow, "emissiveStrength", 1.0f);
    if (const auto c = numbersIn(source, "emissiveFactor", 3); !c.empty())
      material.emissive =
          std::clamp(strength, 0.0f, 1000.0f) * glm::clamp(vec3(c[0], c[1], c[2]), 0.0f, 1.0f);
    if (material.emissive != vec3(0.0f))
      material.emissiveTexture = texture(source, "emissiveTexture");
    material.metallic = std::clamp(material.metallic, 0.0f, 1.0f);
    material.roughness = std::clamp(material.roughness, 0.0f, 1.0f);
    material.occlusionStrength = std::clamp(material.occlusionStrength, 0.0f, 1.0f);
  }

  void readSecond(const GltfJson& source, std::optional<GltfTexcoords>& second,
                  Material& material) {
    const auto add = [&](const GltfJson& of, const char* slot, TextureRole role,
                         const vec3& factor) {
      if (!hasSecondTexcoords(source, of, slot)) return;
      GltfTexcoords own;
      const auto texture = readTexture(objectIn(of, slot), own);
      if (!texture || !model_.textures[*texture].found) return;
      second = own;
      material.texturesBySecondSet.push_back({role, *texture, factor});
    };
    if (extensionIn(source, "KHR_materials_pbrSpecularGlossiness") == nullptr)
      add(objectIn(source, "pbrMetallicRoughness"), "metallicRoughnessTexture",
          TextureRole::surface, vec3(1.0f, material.roughness, material.metallic));
    if (hasSecondTexcoords(source, source, "normalTexture"))
      material.normalScale = usableNumber(objectIn(source, "normalTexture"), "scale", 1.0f);
    add(source, "normalTexture", TextureRole::normals, vec3(1.0f));
    if (hasSecondTexcoords(source, source, "occlusionTexture"))
      material.occlusionStrength = std::clamp(
          usableNumber(objectIn(source, "occlusionTexture"), "strength", 1.0f), 0.0f, 1.0f);
    add(source, "occlusionTexture", TextureRole::occlusion, vec3(1.0f));
    if (material.emissive != vec3(0.0f))
      add(source, "emissiveTexture", TextureRole::emissive, material.emissive);
  }

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
    const GltfJson& texture = document_.item("textures", *index);
    auto image = indexIn(texture, "source");
    for (const char* extension : {"EXT_texture_webp", "MSFT_texture_dds"})
      if (const GltfJson* other = extensionIn(texture, extension); other != nullptr && !image)
        image = indexIn(*other, "source");
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
  Model& model_;
  TextureReader textures_;
};

} // namespace

bool drawsTexture(const GltfJson& material, const GltfJson& of, const char* slot) {
  if (memberIn(of, slot) == nullptr) return false;
  return sameTexcoords(objectIn(of, slot), leadingTexture(material));
}

bool hasSecondTexcoords(const GltfJson& material, const GltfJson& of, const char* slot) {
  if (memberIn(of, slot) == nullptr || drawsTexture(material, of, slot)) return false;
  const GltfJson* second = secondTexture(material);
  return second != nullptr && sameTexcoords(objectIn(of, slot), *second);
}

bool drawsNormalMap(const GltfJson& material) {
  return drawsTexture(material, material, "normalTexture");
}

GltfMaterials readGltfMaterials(GltfDocument& document, Model& model) {
  GltfMaterials out;
  GltfMaterialReader reader(document, model);
  for (std::size_t i = 0; i < document.count("materials"); ++i)
    model.materials.push_back(reader.read(document.item("materials", i),
                                          out.texcoords.emplace_back(),
                                          out.secondTexcoords.emplace_back()));
  for (const Material& material : model.materials)
    out.normalMaps.push_back(showsNormalMap(model, material));
  out.fallback = static_cast<std::uint32_t>(model.materials.size());
  model.materials.emplace_back();
  return out;
}

} // namespace sinew
