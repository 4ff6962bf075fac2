#include "import/material_rules.h"

#include "import/texture_reader.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sinew {
namespace {

// Keeps the marked values and tells where each went.
template <class T>
std::vector<std::uint32_t> compact(std::vector<T>& values, const std::vector<char>& used) {
  std::vector<std::uint32_t> newIndex(values.size(), 0);
  std::vector<T> compacted;
  for (std::size_t i = 0; i < values.size(); ++i) {
    newIndex[i] = static_cast<std::uint32_t>(compacted.size());
    if (used[i] != 0) compacted.push_back(std::move(values[i]));
  }
  values = std::move(compacted);
  return newIndex;
}

bool hasPixels(const Image* image) {
  return image != nullptr && !image->rgba.empty();
}

// The first byte of the pixel that lies there in an image of width x height.
std::size_t pixelAt(const Image& image, std::uint32_t x, std::uint32_t y, std::uint32_t width,
                    std::uint32_t height) {
  const std::uint64_t column = std::uint64_t{x} * image.width / width;
  const std::uint64_t row = std::uint64_t{y} * image.height / height;
  return static_cast<std::size_t>(4 * (row * image.width + column));
}

bool isSeeThrough(const Image& image) {
  for (std::size_t i = 3; i < image.rgba.size(); i += 4)
    if (image.rgba[i] < 255) return true;
  return false;
}

} // namespace

void setRoughness(float roughness, Material& material) {
  material.roughness = std::clamp(roughness, 0.0f, 1.0f);
  roughness = std::clamp(roughness, 0.15f, 1.0f);
  const float alpha = roughness * roughness;
  material.shininess = std::clamp(2.0f / (alpha * alpha) - 2.0f, 4.0f, 128.0f);
  material.specular = 0.3f * (1.0f - roughness);
}

void setShininess(float exponent, Material& material) {
  material.shininess = std::clamp(exponent, 1.0f, 128.0f);
  material.roughness = toRoughness(material.shininess);
}

void setAlphaByContents(const Texture* texture, Material& material) {
  if (texture != nullptr && texture->found && hasCutout(texture->image))
    material.alphaMode = AlphaMode::mask;
  else if (material.baseColor.w < 1.0f)
    material.alphaMode = AlphaMode::blend;
}

void dropUnusedMaterials(Model& model) {
  if (model.meshes.empty()) return;
  std::vector<char> used(model.materials.size(), 0);
  for (Mesh& mesh : model.meshes) {
    mesh.material = std::min(mesh.material, static_cast<std::uint32_t>(used.size() - 1));
    used[mesh.material] = 1;
  }
  const std::vector<std::uint32_t> newMaterial = compact(model.materials, used);
  for (Mesh& mesh : model.meshes)
    mesh.material = newMaterial[mesh.material];

  std::vector<char> shown(model.textures.size(), 0);
  for (const Material& material : model.materials) {
    for (const auto& [role, texture] : listTextures(material))
      shown[texture] = 1;
    for (const MaterialTexture& each : material.texturesBySecondSet)
      shown[each.texture] = 1;
  }
  const std::vector<std::uint32_t> newTexture = compact(model.textures, shown);
  for (Material& material : model.materials) {
    for (auto* texture : {&material.texture, &material.normalTexture, &material.surfaceTexture,
                          &material.occlusionTexture, &material.emissiveTexture})
      if (*texture) *texture = newTexture[**texture];
    for (MaterialTexture& each : material.texturesBySecondSet)
      each.texture = newTexture[each.texture];
  }
}

Image surfaceImage(const Image* roughness, const Image* metalness, std::uint32_t width,
                   std::uint32_t height) {
  Image out{width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height, 255)};
  std::size_t i = 0;
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x, i += 4) {
      if (hasPixels(roughness))
        out.rgba[i + 1] = roughness->rgba[pixelAt(*roughness, x, y, width, height)];
      if (hasPixels(metalness))
        out.rgba[i + 2] = metalness->rgba[pixelAt(*metalness, x, y, width, height)];
    }
  return out;
}

Image opacityImage(const Image* color, const Image* opacity, std::uint32_t width,
                   std::uint32_t height) {
  Image out{width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height, 255)};
  const bool byAlpha = hasPixels(opacity) && isSeeThrough(*opacity);
  std::size_t i = 0;
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x, i += 4) {
      if (hasPixels(color)) {
        const std::size_t from = pixelAt(*color, x, y, width, height);
        for (std::size_t c = 0; c < 3; ++c)
          out.rgba[i + c] = color->rgba[from + c];
      }
      if (!hasPixels(opacity)) continue;
      const std::size_t from = pixelAt(*opacity, x, y, width, height);
      const auto channel = [&](std::size_t c) { return unsigned{opacity->rgba[from + c]}; };
      out.rgba[i + 3] = static_cast<std::uint8_t>(
          byAlpha ? channel(3) : (channel(0) + channel(1) + channel(2)) / 3);
    }
  return out;
}

AlphaMode chooseAlphaMode(const Image& image) {
  if (hasCutout(image)) return AlphaMode::mask;
  std::size_t seeThrough = 0;
  for (std::size_t i = 3; i < image.rgba.size(); i += 4)
    if (image.rgba[i] < 240) ++seeThrough;
  return seeThrough * 800 > image.rgba.size() ? AlphaMode::blend : AlphaMode::opaque;
}

} // namespace sinew
