#include "editor/material_list.h"

#include <algorithm>

namespace sinew {

std::vector<MaterialUse> materialUses(const Model& model) {
  std::vector<MaterialUse> out(model.materials.size());
  for (std::uint32_t i = 0; i < out.size(); ++i) {
    const Material& material = model.materials[i];
    out[i].material = i;
    for (const auto& [role, texture] : listTextures(material))
      out[i].textures.push_back({texture, toString(role)});
  }
  for (const Mesh& mesh : model.meshes) {
    if (mesh.material >= out.size()) continue;
    MaterialUse& use = out[mesh.material];
    use.triangles += mesh.triangles.size();
    if (std::ranges::find(use.meshes, mesh.name) == use.meshes.end())
      use.meshes.push_back(mesh.name);
  }
  return out;
}

std::vector<std::uint32_t> unusedTextures(const Model& model) {
  std::vector<bool> used(model.textures.size(), false);
  for (const MaterialUse& use : materialUses(model))
    for (const TextureUse& texture : use.textures)
      if (!use.meshes.empty() && texture.texture < used.size()) used[texture.texture] = true;
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < used.size(); ++i)
    if (!used[i]) out.push_back(i);
  return out;
}

Image imageOfChannels(const Image& image, TextureChannels channels) {
  Image out = image;
  const auto channel = static_cast<std::size_t>(channels) - 1;
  for (std::size_t i = 0; i + 3 < out.rgba.size(); i += 4) {
    if (channels != TextureChannels::color)
      out.rgba[i] = out.rgba[i + 1] = out.rgba[i + 2] = image.rgba[i + channel];
    out.rgba[i + 3] = 255;
  }
  return out;
}

} // namespace sinew
