// The materials and textures of a model: who uses which, and what is unused.
#pragma once

#include "model/model.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct TextureUse {
  std::uint32_t texture = 0; // index into Model::textures
  std::string_view as;       // "base colour", "normal map"
};

struct MaterialUse {
  std::uint32_t material = 0;
  std::vector<std::string> meshes; // names of those that have it; empty: it is unused
  std::size_t triangles = 0;
  std::vector<TextureUse> textures;
};

// The uses of all materials in the model's order.
std::vector<MaterialUse> materialUses(const Model& model);

// The textures that no material of a mesh has.
std::vector<std::uint32_t> unusedTextures(const Model& model);

// What is shown of a texture.
enum class TextureChannels { color, red, green, blue, alpha };

// The image, opaque: its colours without alpha, or one channel as grey.
Image imageOfChannels(const Image& image, TextureChannels channels);

} // namespace sinew
