#include "export/fbx/materials.h"

#include "model/png.h"

#include <fmt/format.h>
#include <glm/common.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

namespace sinew {
namespace {

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
    addColor(properties, "EmissiveColor", glm::min(material.emissive, vec3(1.0f)));
    addNumber(properties, "EmissiveFactor", 1.0);
    addColor(properties, "SpecularColor", vec3(material.specular));
    addNumber(properties, "SpecularFactor", 1.0);
    addNumber(properties, "Shininess", shininess);
    addNumber(properties, "ShininessExponent", shininess);
    addNumber(properties, "ReflectionFactor", 0.0);
    addColor(properties, "TransparentColor", vec3(1.0f));
    addNumber(properties, "TransparencyFactor", 1.0 - opacity);
    addNumber(properties, "Opacity", opacity);
    addNumber(properties, "BumpFactor", static_cast<double>(material.normalScale));
    if (material.texture) {
      connect(*material.texture, object.id, "DiffuseColor");
      if (material.alphaMode != AlphaMode::opaque)
        connect(*material.texture, object.id, "TransparentColor");
    }
    if (material.normalTexture) connect(*material.normalTexture, object.id, "NormalMap");
    return object.id;
  }

  // Some programs take one texture for one slot, so each use has an object of its own; they share
  // the image.
  void connect(std::uint32_t texture, std::int64_t material, const char* slot) {
    const ImageObject& image = imageOf(texture);
    const FbxNewObject object = scene_.add("Texture", "Texture", image.name, "");
    FbxRecord& record = *object.record;
    record.add("Type", "TextureVideoClip");
    record.add("Version", 202);
    record.add("TextureName", image.name + std::string("\0\1Texture", 9));
    FbxRecord& properties = record.add("Properties70");
    properties.addProperty("UseMaterial", "bool", "", "", 1);
    properties.addProperty("UVSet", "KString", "", "", "UVMap");
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

  const ImageObject& imageOf(std::uint32_t index) {
    const auto [known, isNew] = images_.try_emplace(index);
    ImageObject& image = known->second;
    if (!isNew) return image;
    const Texture& texture = model_.textures[index];
    const bool hasImage = texture.found && !texture.image.rgba.empty();
    image.name = nameOf(texture, index);
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
    std::string png = pngOf(texture.image, PngEffort::small);
    if (imageFolder_.empty())
      video.record->add("Content", FbxBytes{png});
    else
      out_.images.push_back({image.file, std::move(png)});
    return image;
  }

  // The name of the image's file, or of its number; each once, of letters that every system takes.
  std::string nameOf(const Texture& texture, std::uint32_t index) {
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
  std::map<std::uint32_t, ImageObject> images_; // by texture
  std::set<std::string> names_;
};

} // namespace

FbxMaterialObjects addFbxMaterials(const Model& model, const std::string& imageFolder,
                                   FbxScene& scene) {
  return MaterialWriter(model, imageFolder, scene).write();
}

} // namespace sinew
