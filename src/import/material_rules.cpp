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

} // namespace sinew
