#include "import/fbx/materials.h"

#include "core/base64.h"
#include "import/material_rules.h"

#include <glm/common.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

namespace sinew {
namespace {

// Those of the FBX SDK, and what Maya and 3ds Max call theirs.
constexpr std::array<std::string_view, 9> kBaseColors = {
    "DiffuseColor",
    "Diffuse",
    "Maya|DiffuseTexture",
    "Maya|baseColor",
    "Maya|TEX_color_map",
    "3dsMax|Parameters|base_color_map",
    "3dsMax|Parameters|diff_color_map",
    "3dsMax|main|baseColorMap",
    "3dsMax|main|base_color_map",
};

// Slots of normal maps, and others where a map of heights may stand as well.
constexpr std::array<std::string_view, 4> kNormalMaps = {
    "NormalMap", "Maya|TEX_normal_map", "Maya|normalCamera", "3dsMax|main|norm_map"};
constexpr std::array<std::string_view, 3> kBumps = {"Bump", "3dsMax|Parameters|bump_map",
                                                    "3dsMax|main|bump_map"};

// The image that a Video has within the file: bytes, or in ASCII pieces of base64.
std::string contentOf(const FbxElement& video) {
  std::string out;
  const FbxElement* content = childOf(video, "Content");
  if (content == nullptr) return out;
  for (const FbxValue& value : content->values)
    if (value.type == 'R')
      out += value.bytes;
    else if (value.type == 'S')
      out += fromBase64(value.bytes).value_or(std::string());
  return out;
}

// What Maya's and 3ds Max' physical materials say beside the colours of the FBX SDK.
void readPhysical(const FbxProperties& properties, Material& material) {
  const auto share = [&](std::initializer_list<const char*> names, float otherwise) {
    for (const char* name : names) {
      if (!properties.has(name)) continue;
      const double value = properties.real(name, 0.0);
      if (value >= 0.0 && value <= 1.0) return static_cast<float>(value);
    }
    return otherwise;
  };
  material.metallic = share(
      {"Maya|metallic", "Maya|metalness", "3dsMax|Parameters|metalness", "3dsMax|main|metalness"},
      0.0f);
  material.roughness = share({"Maya|roughness", "Maya|specularRoughness",
                              "3dsMax|Parameters|roughness", "3dsMax|main|roughness"},
                             material.roughness);
}

bool isUsableColor(const glm::dvec3& c) {
  return std::isfinite(c.x) && std::isfinite(c.y) && std::isfinite(c.z);
}

} // namespace

bool isFbxBaseColor(std::string_view property) {
  return std::find(kBaseColors.begin(), kBaseColors.end(), property) != kBaseColors.end();
}

std::uint32_t FbxMaterials::fallback() {
  if (!fallback_) {
    fallback_ = static_cast<std::uint32_t>(model_.materials.size());
    model_.materials.emplace_back();
  }
  return *fallback_;
}

std::vector<FbxMaterialUse> FbxMaterials::usesOf(std::uint32_t object) {
  std::uint32_t own = FbxDocument::kNone; // a texture of the model's
  for (const std::uint32_t texture : document_.childrenOf(object, "Texture"))
    if (own == FbxDocument::kNone) own = texture;
  std::vector<FbxMaterialUse> out;
  for (const std::uint32_t material : document_.childrenOf(object, "Material")) {
    const std::uint32_t texture = textureOf(material);
    out.push_back(use(material, texture == FbxDocument::kNone ? own : texture));
  }
  return out;
}

// The texture of the base colour; of layered ones the first.
std::uint32_t FbxMaterials::textureOf(std::uint32_t material) const {
  for (const FbxLink& link : document_.childrenOf(material)) {
    if (!isFbxBaseColor(link.property)) continue;
    const std::string& kind = document_.object(link.object).kind;
    if (kind == "Texture") return link.object;
    if (kind != "LayeredTexture") continue;
    const std::vector<std::uint32_t> layers = document_.childrenOf(link.object, "Texture");
    if (!layers.empty()) return layers.front();
  }
  return FbxDocument::kNone;
}

// y is taken to point up in the image: the format does not say.
std::optional<std::uint32_t> FbxMaterials::normalMapOf(std::uint32_t material) {
  for (const FbxLink& link : document_.childrenOf(material)) {
    const bool surely = std::ranges::find(kNormalMaps, link.property) != kNormalMaps.end();
    const bool perhaps = std::ranges::find(kBumps, link.property) != kBumps.end();
    if (!(surely || perhaps) || document_.object(link.object).kind != "Texture") continue;
    const auto texture = readTexture(link.object);
    if (!texture || !(surely || isNormalMap(model_.textures[*texture]))) continue;
    normalMaps_.insert(link.object);
    return texture;
  }
  return std::nullopt;
}

FbxMaterialUse FbxMaterials::use(std::uint32_t material, std::uint32_t texture) {
  FbxMaterialUse out;
  if (texture != FbxDocument::kNone) {
    out.texcoordSet = document_.properties(texture).text("UVSet");
    if (out.texcoordSet == "default") out.texcoordSet.clear();
  }
  const auto known = known_.find({material, texture});
  if (known != known_.end()) {
    out.material = known->second;
    return out;
  }
  Material read =
      this->read(material, texture == FbxDocument::kNone ? std::nullopt : readTexture(texture));
  read.normalTexture = normalMapOf(material);
  const auto scale = static_cast<float>(document_.properties(material).real("BumpFactor", 1.0));
  if (scale > 0.0f && scale <= 10.0f) read.normalScale = scale;
  out.material = static_cast<std::uint32_t>(model_.materials.size());
  model_.materials.push_back(std::move(read));
  known_[{material, texture}] = out.material;
  return out;
}

// The Video of a texture: what is connected to it, or has the same file name.
std::uint32_t FbxMaterials::videoOf(std::uint32_t texture) const {
  const std::vector<std::uint32_t> connected = document_.childrenOf(texture, "Video");
  if (!connected.empty()) return connected.front();
  const FbxElement& element = *document_.object(texture).element;
  const std::string name = childText(element, "RelativeFilename");
  for (std::uint32_t i = 0; i < document_.objects().size(); ++i) {
    const FbxObject& object = document_.object(i);
    if (object.kind != "Video" || childText(*object.element, "RelativeFilename") != name) continue;
    if (!name.empty()) return i;
  }
  return FbxDocument::kNone;
}

std::optional<std::uint32_t> FbxMaterials::readTexture(std::uint32_t texture) {
  const FbxElement& element = *document_.object(texture).element;
  std::string name = childText(element, "RelativeFilename");
  if (name.empty()) name = childText(element, "FileName");
  if (const std::uint32_t video = videoOf(texture); video != FbxDocument::kNone) {
    const FbxElement& source = *document_.object(video).element;
    if (name.empty()) name = childText(source, "RelativeFilename");
    if (name.empty()) name = childText(source, "Filename");
    if (name.empty()) name = document_.object(video).name;
    const std::string content = contentOf(source);
    if (!content.empty()) // "*": no file is meant
      return textures_.embedded("*" + std::to_string(video), name, content);
  }
  if (name.empty()) return std::nullopt; // procedural
  return textures_.file(name);
}

Material FbxMaterials::read(std::uint32_t object, std::optional<std::uint32_t> texture) const {
  const FbxProperties properties = document_.properties(object);
  Material material;
  material.name = document_.object(object).name;
  material.texture = texture;
  const auto color = [&](const char* name, const char* factor) -> std::optional<vec3> {
    if (!properties.has(name)) return std::nullopt;
    const glm::dvec3 value =
        properties.vector(name, glm::dvec3(0.0)) * properties.real(factor, 1.0);
    if (!isUsableColor(value)) return std::nullopt;
    return glm::clamp(vec3(value), 0.0f, 1.0f);
  };
  // Exporters with colour management write linear colours. A texture replaces the colour, which
  // many leave grey or black.
  if (!texture)
    material.baseColor = vec4(color("DiffuseColor", "DiffuseFactor").value_or(vec3(0.9f)), 1.0f);
  else
    material.baseColor = vec4(1.0f);
  // Exporters disagree about what TransparencyFactor means, but most write the opacity too.
  double opacity = 1.0;
  if (const auto transparent = color("TransparentColor", "TransparencyFactor"))
    opacity = 1.0 - (transparent->x + transparent->y + transparent->z) / 3.0;
  opacity = properties.real("Opacity", opacity);
  // Fully transparent means, in practice, that transparency was written for opacity.
  if (opacity > 0.01) material.baseColor.w = static_cast<float>(std::min(opacity, 1.0));
  const double shininess = properties.real("ShininessExponent", 0.0);
  if (shininess > 1.0) setShininess(static_cast<float>(std::min(shininess, 128.0)), material);
  if (const auto specular = color("SpecularColor", "SpecularFactor"))
    material.specular = std::min(0.3f, (specular->x + specular->y + specular->z) / 3.0f);
  readPhysical(properties, material);
  if (const auto glow = color("EmissiveColor", "EmissiveFactor")) material.emissive = *glow;
  if (texture) {
    const Texture& image = model_.textures[*texture];
    setAlphaByContents(&image, material);
  } else {
    setAlphaByContents(nullptr, material);
  }
  return material;
}

} // namespace sinew
