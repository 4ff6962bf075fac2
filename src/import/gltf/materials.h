// Materials of a glTF file: the base colour and its texture, the highlight, alpha; what else they
// hold is listed by unusedParts().
#pragma once

#include "import/gltf/document.h"
#include "model/model.h"

#include <glm/mat3x2.hpp>

#include <optional>
#include <vector>

namespace sinew {

// How the vertices of a material's meshes have their texture coordinates.
struct GltfTexcoords {
  std::size_t set = 0; // TEXCOORD_set
  // KHR_texture_transform: image from file; columns for u, v and 1.
  std::optional<glm::mat3x2> transform;
};

struct GltfMaterials {
  std::vector<GltfTexcoords> texcoords; // per material of the file
  // Per material: those of the textures that are not drawn, where they differ.
  std::vector<std::optional<GltfTexcoords>> secondTexcoords;
  std::vector<bool> normalMaps; // per material: whether it shows one, which takes tangents
  std::uint32_t fallback = 0;   // the material of primitives without one
};

// Whether the texture in a slot of a material (or of its part `of`) is drawn: by the texture
// coordinates that the base colour has; without one the normal map, without that the first of the
// others.
bool drawsTexture(const GltfJson& material, const GltfJson& of, const char* slot);
bool drawsNormalMap(const GltfJson& material);

// Whether it is not drawn and has the texture coordinates of the first such texture, as
// Mesh::texcoords1.
bool hasSecondTexcoords(const GltfJson& material, const GltfJson& of, const char* slot);

// Fills the model's materials, one for each of the file and the fallback, and its textures.
GltfMaterials readGltfMaterials(GltfDocument& document, Model& model);

} // namespace sinew
