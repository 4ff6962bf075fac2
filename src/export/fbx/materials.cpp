#include "core/color.h"
#include "export/fbx/objects.h"
#include "model/png.h"

#include <fmt/format.h>
#include <glm/common.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace sinew {
namespace {

// What of an image is written: a channel times a factor as grey, or all of it times a linear tint.
struct ImagePart {
  std::optional<std::size_t> channel = {};
  float factor = 1.0f;
  std::array<float, 3> tint{1.0f, 1.0f, 1.0f};

  bool operator<(const ImagePart& other) const {
    return std::tuple(channel, factor, tint) < std::tuple(other.channel, other.factor, other.tint);
  }
};

std::uint8_t toByte(float value) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0f, 255.0f)));
}

Image extractPart(const Image& image, const ImagePart& part) {
  Image out = image;
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t i = c; part.tint[c] != 1.0f && i < out.rgba.size(); i += 4) {
      const float linear = linearFromSrgb(static_cast<float>(image.rgba[i]) / 255.0f);
      out.rgba[i] = toByte(255.0f * srgbFromLinear(part.tint[c] * linear));
    }
  for (std::size_t i = 0; part.channel && i + 3 < out.rgba.size(); i += 4) {
    const float grey = part.factor * static_cast<float>(image.rgba[i + *part.channel]);
    std::fill_n(out.rgba.begin() + static_cast<std::ptrdiff_t>(i), 3, toByte(grey));
    out.rgba[i + 3] = 255;
  }
  return out;
}

class MaterialWriter {
 public:
  MaterialWriter(const Model& model, const std::string& imageFolder, FbxScene& scene)
      : model_(model), imageFolder_(imageFolder), scene_(scene) {}

  FbxMaterialObjects write() {
    for (const Material& material : model_.materials)
      out_.ids.push_back(add(material));
    return std::move(out_);
  }

 private:
  static void addColor(FbxRecord& properties, const char* name, const vec3& color) {
    properties.addProperty(name, "Color", "", "A", static_cast<double>(color.x),
                           static_cast<double>(color.y), static_cast<double>(color.z));
  }
  static void addNumber(FbxRecord& properties, const char* name, double value) {
    properties.addProperty(name, "Number", "", "A", value);
  }

  std::int64_t add(const Material& material) {
    const std::string name = material.name.empty() ? "material" : material.name;
    const FbxNewObject object = scene_.add("Material", "Material", name, "");
    object.record->add("Version", 102);
    object.record->add("ShadingModel", "phong");
    object.record->add("MultiLayer", 0);
    FbxRecord& properties = object.record->add("Properties70");
    const double opacity = std::clamp(static_cast<double>(material.baseColor.w), 0.0, 1.0);
    const double shininess = static_cast<double>(material.shininess);
    addColor(properties, "DiffuseColor", vec3(material.baseColor));
    addNumber(properties, "DiffuseFactor", 1.0);
    addColor(properties, "AmbientColor", vec3(0.0f));
    const std::vector<SlotTexture> textures = listSlotTextures(material);
    const auto glowing = std::ranges::find(textures, TextureRole::emissive, &SlotTexture::role);
    const vec3 glow = glowing != textures.end() ? glowing->factor : material.emissive;
    const float brightest = std::max({glow.x, glow.y, glow.z});
    const float strength = glowing != textures.end() ? brightest : std::max(brightest, 1.0f);
    addColor(properties, "EmissiveColor", strength > 0.0f ? glow / strength : vec3(0.0f));
    addNumber(properties, "EmissiveFactor", static_cast<double>(strength));
    addColor(properties, "SpecularColor", vec3(material.specular));
    addNumber(properties, "SpecularFactor", 1.0);
    addNumber(properties, "Shininess", shininess);
    addNumber(properties, "ShininessExponent", shininess);
    addNumber(properties, "ReflectionFactor", 0.0);
    addColor(properties, "TransparentColor", vec3(1.0f));
    addNumber(properties, "TransparencyFactor", 1.0 - opacity);
    addNumber(properties, "Opacity", opacity);
    addNumber(properties, "BumpFactor", static_cast<double>(material.normalScale));
    addNumber(properties, "Maya|metallic", static_cast<double>(material.metallic));
    addNumber(properties, "Maya|roughness", static_cast<double>(material.roughness));
    if (material.texture) {
      connect(*material.texture, object.id, "DiffuseColor");
      if (material.alphaMode != AlphaMode::opaque)
        connect(*material.texture, object.id, "TransparentColor");
    }
    for (const SlotTexture& each : textures)
      connectRole(each, object.id);
    return object.id;
  }

  // A texture of a material beside its base colour, with its factor and its set of coordinates.
  struct SlotTexture : MaterialTexture {
    std::size_t set = 0;
  };

  static std::vector<SlotTexture> listSlotTextures(const Material& material) {
    std::vector<SlotTexture> out;
    for (const auto& [role, texture] : listTextures(material)) {
      vec3 factor(1.0f);
      if (role == TextureRole::surface) factor = {1.0f, material.roughness, material.metallic};
      if (role == TextureRole::emissive) factor = material.emissive;
      if (role != TextureRole::baseColor) out.push_back({{role, texture, factor}, 0});
    }
    for (const MaterialTexture& each : material.texturesBySecondSet)
      out.push_back({each, 1});
    return out;
  }

  // One image for each number. A texture replaces the factors of its slot, so its image has them.
  void connectRole(const SlotTexture& each, std::int64_t material) {
    const vec3& factor = each.factor;
    switch (each.role) {
    case TextureRole::baseColor:
      break;
    case TextureRole::normals:
      return connect(each.texture, material, "NormalMap", {}, each.set);
    case TextureRole::surface:
      connect(each.texture, material, "Maya|TEX_roughness_map", {1, factor.y}, each.set);
      return connect(each.texture, material, "Maya|TEX_metallic_map", {2, factor.z}, each.set);
    case TextureRole::occlusion:
      return connect(each.texture, material, "Maya|TEX_ao_map", {0, 1.0f}, each.set);
    case TextureRole::emissive: {
      const float brightest = std::max({factor.x, factor.y, factor.z});
      const vec3 tint = brightest > 0.0f ? factor / brightest : vec3(1.0f);
      return connect(each.texture, material, "EmissiveColor", {{}, 1.0f, {tint.x, tint.y, tint.z}},
                     each.set);
    }
    }
  }

  // Some programs take one texture for one slot, so each use has an object of its own; they share
  // the image.
  void connect(std::uint32_t texture, std::int64_t material, const char* slot,
               const ImagePart& part = {}, std::size_t set = 0) {
    const ImageObject& image = addImage(texture, part);
    const FbxNewObject object = scene_.add("Texture", "Texture", image.name, "");
    FbxRecord& record = *object.record;
    record.add("Type", "TextureVideoClip");
    record.add("Version", 202);
    record.add("TextureName", image.name + std::string("\0\1Texture", 9));
    FbxRecord& properties = record.add("Properties70");
    properties.addProperty("UseMaterial", "bool", "", "", 1);
    properties.addProperty("UVSet", "KString", "", "", kFbxTexcoords[set]);
    record.add("Media", image.name + std::string("\0\1Video", 7));
    record.add("FileName", image.file);
    record.add("RelativeFilename", image.file);
    record.add("ModelUVTranslation", 0.0, 0.0);
    record.add("ModelUVScaling", 1.0, 1.0);
    record.add("Texture_Alpha_Source", "None");
    record.add("Cropping", 0, 0, 0, 0);
    scene_.connect(object.id, material, slot);
    scene_.connect(image.id, object.id);
  }

  struct ImageObject {
    std::int64_t id = 0;
    std::string name;
    std::string file;
  };

  const ImageObject& addImage(std::uint32_t index, const ImagePart& part) {
    const auto [known, isNew] = images_.try_emplace({index, part});
    ImageObject& image = known->second;
    if (!isNew) return image;
    const Texture& texture = model_.textures[index];
    const bool hasImage = texture.found && !texture.image.rgba.empty();
    image.name = makeName(texture, index);
    image.file = !hasImage              ? texture.path
                 : imageFolder_.empty() ? image.name + ".png"
                                        : imageFolder_ + "/" + image.name + ".png";
    const FbxNewObject video = scene_.add("Video", "Video", image.name, "Clip");
    image.id = video.id;
    video.record->add("Type", "Clip");
    video.record->add("Properties70").addProperty("Path", "KString", "XRefUrl", "", image.file);
    video.record->add("UseMipMap", 0);
    video.record->add("Filename", image.file);
    video.record->add("RelativeFilename", image.file);
    if (!hasImage) return image;
    std::string png = encodePng(extractPart(texture.image, part), PngEffort::small);
    if (imageFolder_.empty())
      video.record->add("Content", FbxBytes{png});
    else
      out_.images.push_back({image.file, std::move(png)});
    return image;
  }

  // A name from the image's file, or from its number; unique, in letters that every system takes.
  std::string makeName(const Texture& texture, std::uint32_t index) {
    std::string path = texture.path;
    std::ranges::replace(path, '\\', '/');
    std::string name = std::filesystem::path(path).stem().string();
    for (char& c : name)
      if (const auto u = static_cast<unsigned char>(c);
          u < 32 || u == 127 || std::string_view("<>:\"|?*/").find(c) != std::string_view::npos)
        c = '_';
    if (name.empty() || name.size() > 100) name = fmt::format("texture{}", index);
    while (!names_.insert(name).second)
      name += fmt::format("_{}", index);
    return name;
  }

  const Model& model_;
  const std::string& imageFolder_;
  FbxScene& scene_;
  FbxMaterialObjects out_;
  std::map<std::pair<std::uint32_t, ImagePart>, ImageObject> images_; // by texture
  std::set<std::string> names_;
};

} // namespace

FbxMaterialObjects addFbxMaterials(const Model& model, const std::string& imageFolder,
                                   FbxScene& scene) {
  return MaterialWriter(model, imageFolder, scene).write();
}

} // namespace sinew
