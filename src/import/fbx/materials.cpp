#include "import/fbx/materials.h"

#include "core/base64.h"
#include "import/material_rules.h"

#include <fmt/format.h>
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

constexpr std::array<std::string_view, 6> kMetalness = {"Maya|TEX_metallic_map",
                                                        "Maya|metallic",
                                                        "Maya|metalness",
                                                        "3dsMax|Parameters|metalness_map",
                                                        "3dsMax|main|metalness_map",
                                                        "3dsMax|main|metalnessMap"};
constexpr std::array<std::string_view, 6> kRoughness = {
    "Maya|TEX_roughness_map",    "Maya|roughness",
    "Maya|specularRoughness",    "3dsMax|Parameters|roughness_map",
    "3dsMax|main|roughness_map", "3dsMax|main|roughnessMap"};
constexpr std::array<std::string_view, 3> kOcclusion = {"Maya|TEX_ao_map", "3dsMax|main|ao_map",
                                                        "3dsMax|main|ambientOcclusionMap"};
constexpr std::array<std::string_view, 7> kEmission = {"EmissiveColor",
                                                       "Emissive",
                                                       "Maya|TEX_emissive_map",
                                                       "Maya|emissionColor",
                                                       "3dsMax|Parameters|emit_color_map",
                                                       "3dsMax|main|emit_color_map",
                                                       "3dsMax|main|emissionMap"};
constexpr std::array<std::string_view, 6> kOpacity = {"TransparentColor",
                                                      "TransparencyFactor",
                                                      "Maya|opacity",
                                                      "3dsMax|Parameters|cutout_map",
                                                      "3dsMax|main|opacity_map",
                                                      "3dsMax|main|AlphaMap"};
// Where Blender writes them; elsewhere these slots mean a highlight and a reflection.
constexpr std::array<std::string_view, 1> kBlenderMetalness = {"ReflectionFactor"};
constexpr std::array<std::string_view, 2> kBlenderRoughness = {"ShininessExponent", "Shininess"};

constexpr double kMaxEmission = 1000.0;

// Stingray's materials have a switch for each of their slots: "use_metallic_map".
bool isSwitchedOff(const FbxProperties& properties, std::string_view slot) {
  constexpr std::string_view kPrefix = "Maya|TEX_";
  return slot.starts_with(kPrefix) &&
         properties.real(fmt::format("Maya|use_{}", slot.substr(kPrefix.size())), 1.0) == 0.0;
}

// The image that a Video has within the file: bytes, or in ASCII pieces of base64.
std::string readContent(const FbxElement& video) {
  std::string out;
  const FbxElement* content = findChild(video, "Content");
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

std::vector<FbxMaterialUse> FbxMaterials::listUses(std::uint32_t object) {
  std::uint32_t own = FbxDocument::kNone; // a texture of the model's
  for (const std::uint32_t texture : document_.getChildren(object, "Texture"))
    if (own == FbxDocument::kNone) own = texture;
  std::vector<FbxMaterialUse> out;
  for (const std::uint32_t material : document_.getChildren(object, "Material")) {
    const std::uint32_t texture = textureIn(material, kBaseColors);
    out.push_back(use(object, material, texture == FbxDocument::kNone ? own : texture));
  }
  return out;
}

// The first layer stands for a layered texture.
std::uint32_t FbxMaterials::textureIn(std::uint32_t material,
                                      std::span<const std::string_view> slots) const {
  for (const FbxLink& link : document_.getChildren(material)) {
    if (std::ranges::find(slots, link.property) == slots.end()) continue;
    const std::string& kind = document_.object(link.object).kind;
    if (kind == "Texture") return link.object;
    if (kind != "LayeredTexture") continue;
    const std::vector<std::uint32_t> layers = document_.getChildren(link.object, "Texture");
    if (!layers.empty()) return layers.front();
  }
  return FbxDocument::kNone;
}

// y is taken to point up in the image: the format does not say.
std::optional<std::uint32_t> FbxMaterials::findNormalMap(std::uint32_t object,
                                                         std::uint32_t material,
                                                         std::optional<std::string>& texcoordSet) {
  for (const FbxLink& link : document_.getChildren(material)) {
    const bool surely = std::ranges::find(kNormalMaps, link.property) != kNormalMaps.end();
    const bool perhaps = std::ranges::find(kBumps, link.property) != kBumps.end();
    if (!(surely || perhaps) || document_.object(link.object).kind != "Texture") continue;
    const std::string set = findTexcoordSet(object, link.object);
    if (texcoordSet.value_or(set) != set) continue;
    const auto texture = readTexture(link.object);
    if (!texture || !(surely || isNormalMap(model_.textures[*texture]))) continue;
    texcoordSet = set;
    normalMaps_.insert(link.object);
    shown_.insert(link.object);
    return texture;
  }
  return std::nullopt;
}

// Empty: the first set, which also stands for one that the geometry has not.
std::string FbxMaterials::findTexcoordSet(std::uint32_t object, std::uint32_t texture) const {
  std::string set = document_.properties(texture).text("UVSet");
  for (const std::uint32_t geometry : document_.getChildren(object, "Geometry", "Mesh")) {
    bool first = true;
    for (const FbxElement& layer : document_.object(geometry).element->children) {
      if (layer.name != "LayerElementUV") continue;
      if (childText(layer, "Name") == set) return first ? std::string() : set;
      first = false;
    }
  }
  return {};
}

// The other set that is read of an object's geometry; none where it has one alone.
std::optional<std::string> FbxMaterials::secondTexcoordSet(std::uint32_t object,
                                                           const std::string& set) const {
  if (!set.empty()) return std::string(); // the first
  for (const std::uint32_t geometry : document_.getChildren(object, "Geometry", "Mesh")) {
    bool first = true;
    for (const FbxElement& layer : document_.object(geometry).element->children) {
      if (layer.name != "LayerElementUV") continue;
      if (!first) return childText(layer, "Name");
      first = false;
    }
  }
  return std::nullopt;
}

// The texture of some slots that is drawn by the texture coordinates of the others; none where
// its image is missing.
std::optional<std::uint32_t> FbxMaterials::further(std::uint32_t object, std::uint32_t material,
                                                   std::span<const std::string_view> slots,
                                                   std::optional<std::string>& texcoordSet) {
  const FbxProperties properties = document_.properties(material);
  std::vector<std::string_view> usable;
  for (const std::string_view slot : slots)
    if (!isSwitchedOff(properties, slot)) usable.push_back(slot);
  const std::uint32_t texture = textureIn(material, usable);
  if (texture == FbxDocument::kNone) return std::nullopt;
  const std::string set = findTexcoordSet(object, texture);
  if (texcoordSet.value_or(set) != set) return std::nullopt;
  const auto read = readTexture(texture);
  if (!read || !model_.textures[*read].found) return std::nullopt;
  texcoordSet = set;
  shown_.insert(texture);
  return read;
}

// Metalness, roughness, occlusion and emission. A texture replaces its factor, as it replaces the
// base colour.
void FbxMaterials::readSurface(std::uint32_t object, std::uint32_t source,
                               std::optional<std::string>& texcoordSet, Material& material) {
  const auto texture = [&](std::span<const std::string_view> slots) {
    return further(object, source, slots, texcoordSet);
  };
  auto metalness = texture(kMetalness);
  auto roughness = texture(kRoughness);
  if (isByBlender_ && !metalness) metalness = texture(kBlenderMetalness);
  if (isByBlender_ && !roughness) roughness = texture(kBlenderRoughness);
  if (metalness) material.metallic = 1.0f;
  if (roughness) material.roughness = 1.0f;
  material.occlusionTexture = texture(kOcclusion);
  if (metalness && metalness == roughness)
    material.surfaceTexture = metalness; // holds both, as in glTF
  else if (metalness || roughness)
    material.surfaceTexture = textures_.joined(roughness, metalness, surfaceImage);

  const FbxProperties properties = document_.properties(source);
  double strength = properties.real("EmissiveFactor", 1.0);
  if (properties.has("Maya|emissive_intensity"))
    strength = properties.real("Maya|emissive_intensity", 1.0);
  if (!(strength > 0.0)) return;
  material.emissiveTexture = texture(kEmission);
  if (material.emissiveTexture)
    material.emissive = vec3(static_cast<float>(std::min(strength, kMaxEmission)));
}

// Reads textures by the second set of texture coordinates, for the roles that no drawn texture
// has.
void FbxMaterials::readSecondSet(std::uint32_t object, std::uint32_t source,
                                 const std::string& texcoordSet, Material& material) {
  std::optional<std::string> second = secondTexcoordSet(object, texcoordSet);
  if (!second || *second == texcoordSet) return;
  Material other;
  other.metallic = material.metallic;
  other.roughness = material.roughness;
  other.normalTexture = findNormalMap(object, source, second);
  readSurface(object, source, second, other);
  const auto drawn = listTextures(material);
  for (const auto& [role, texture] : listTextures(other)) {
    const auto sameRole = [role = role](const auto& each) { return each.first == role; };
    if (std::ranges::any_of(drawn, sameRole)) continue;
    MaterialTexture found{role, texture};
    if (role == TextureRole::surface) found.factor = vec3(1.0f, other.roughness, other.metallic);
    if (role == TextureRole::emissive) found.factor = other.emissive;
    material.texturesBySecondSet.push_back(found);
  }
}

FbxMaterialUse FbxMaterials::use(std::uint32_t object, std::uint32_t material,
                                 std::uint32_t texture) {
  FbxMaterialUse out;
  std::optional<std::string> texcoordSet;
  if (texture != FbxDocument::kNone) texcoordSet = findTexcoordSet(object, texture);
  const auto known = known_.find({material, texture});
  if (known != known_.end()) {
    out = known->second;
    if (texcoordSet) out.texcoordSet = *texcoordSet;
    return out;
  }
  std::optional<std::uint32_t> base;
  if (texture != FbxDocument::kNone) base = readTexture(texture);
  // A file that is missing stays a texture of its own, which is reported.
  const bool isMissing = base && !model_.textures[*base].found;
  const auto opacity = isMissing ? std::nullopt : further(object, material, kOpacity, texcoordSet);
  const bool hasOpacity = opacity && opacity != base;
  Material read = this->read(material, base);
  if (hasOpacity) {
    read.texture = textures_.joined(base, opacity, opacityImage);
    read.baseColor.w = 1.0f;
    read.alphaMode = AlphaMode::opaque;
  }
  if (opacity && read.texture && read.alphaMode == AlphaMode::opaque)
    read.alphaMode = chooseAlphaMode(model_.textures[*read.texture].image);
  read.normalTexture = findNormalMap(object, material, texcoordSet);
  const auto scale = static_cast<float>(document_.properties(material).real("BumpFactor", 1.0));
  if (scale > 0.0f && scale <= 10.0f) read.normalScale = scale;
  readSurface(object, material, texcoordSet, read);
  readSecondSet(object, material, texcoordSet.value_or(std::string()), read);
  out.texcoordSet = texcoordSet.value_or(std::string());
  out.material = static_cast<std::uint32_t>(model_.materials.size());
  model_.materials.push_back(std::move(read));
  known_[{material, texture}] = out;
  return out;
}

// The Video of a texture: what is connected to it, or has the same file name.
std::uint32_t FbxMaterials::findVideo(std::uint32_t texture) const {
  const std::vector<std::uint32_t> connected = document_.getChildren(texture, "Video");
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
  if (const std::uint32_t video = findVideo(texture); video != FbxDocument::kNone) {
    const FbxElement& source = *document_.object(video).element;
    if (name.empty()) name = childText(source, "RelativeFilename");
    if (name.empty()) name = childText(source, "Filename");
    if (name.empty()) name = document_.object(video).name;
    const std::string content = readContent(source);
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
  const auto color = [&](const char* name, const char* factor,
                         double limit = 1.0) -> std::optional<vec3> {
    if (!properties.has(name)) return std::nullopt;
    const glm::dvec3 value =
        properties.vector(name, glm::dvec3(0.0)) * properties.real(factor, 1.0);
    if (!isUsableColor(value)) return std::nullopt;
    return vec3(glm::clamp(value, 0.0, limit));
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
  if (isByBlender_ && document_.version() >= 7000) {
    const double metalness = properties.real("ReflectionFactor", 0.0);
    if (metalness >= 0.0 && metalness <= 1.0) material.metallic = static_cast<float>(metalness);
  }
  if (const auto glow = color("EmissiveColor", "EmissiveFactor", kMaxEmission))
    material.emissive = *glow;
  if (texture) {
    const Texture& image = model_.textures[*texture];
    setAlphaByContents(&image, material);
  } else {
    setAlphaByContents(nullptr, material);
  }
  return material;
}

} // namespace sinew
