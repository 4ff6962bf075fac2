#include "import/x/materials.h"

#include "core/color.h"
#include "import/material_rules.h"

#include <glm/common.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Writers double the back slashes of paths, as the format asks, or do not.
std::string withSingleSlashes(std::string path) {
  for (std::size_t at = 0; (at = path.find("\\\\", at)) != path.npos; ++at)
    path.erase(at, 1);
  return path;
}

} // namespace

std::uint32_t XMaterials::fallback() {
  if (!fallback_) {
    fallback_ = static_cast<std::uint32_t>(model_.materials.size());
    const vec3 clay = linearFromSrgb(vec3(0.6f)); // the format states none
    model_.materials.emplace_back().baseColor = vec4(clay, 1.0f);
  }
  return *fallback_;
}

std::uint32_t XMaterials::addMaterial(std::uint32_t object) {
  if (const auto known = known_.find(object); known != known_.end()) return known->second;
  Material material = read(object);
  const auto index = static_cast<std::uint32_t>(model_.materials.size());
  model_.materials.push_back(std::move(material));
  known_[object] = index;
  return index;
}

// Colour with opacity, the highlight's exponent, its colour, and light of its own; a texture
// replaces the colour.
Material XMaterials::read(std::uint32_t index) {
  const XObject& object = document_.object(index);
  XValues values(object);
  Material material;
  material.name = object.name;
  const auto color = [&](float otherwise) {
    vec3 out;
    for (int i = 0; i < 3; ++i) {
      const auto value = static_cast<float>(values.number());
      out[i] = std::isfinite(value) ? std::clamp(value, 0.0f, 1.0f) : otherwise;
    }
    return out;
  };
  const vec3 diffuse = linearFromSrgb(color(0.9f));
  const auto opacity = static_cast<float>(values.number());
  const auto power = static_cast<float>(values.number());
  const vec3 specular = color(0.0f);
  if (const XObject* texture = document_.firstInner(index, "TextureFilename");
      texture != nullptr && !texture->texts.empty() && !texture->texts.front().empty()) {
    material.texture = textures_.file(withSingleSlashes(texture->texts.front()));
    const Texture& image = model_.textures[*material.texture];
    if (image.found && hasCutout(image.image)) material.alphaMode = AlphaMode::mask;
  }
  material.baseColor = vec4(material.texture ? vec3(1.0f) : diffuse, 1.0f);
  // Fully transparent means, in practice, that transparency was written for opacity.
  if (opacity > 0.01f) material.baseColor.w = std::min(opacity, 1.0f);
  if (material.baseColor.w < 1.0f && material.alphaMode == AlphaMode::opaque)
    material.alphaMode = AlphaMode::blend;
  if (power > 1.0f) setShininess(power, material);
  material.specular = std::min(0.3f, (specular.x + specular.y + specular.z) / 3.0f);
  return material;
}

} // namespace sinew
