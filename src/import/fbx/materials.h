// The materials of an FBX file, and their textures.
#pragma once

#include "import/fbx/document.h"
#include "import/texture_reader.h"
#include "model/model.h"

#include <set>
#include <span>

namespace sinew {

// What a material becomes in the model.
struct FbxMaterialUse {
  std::uint32_t material = 0; // index into the model's materials
  std::string texcoordSet;    // the set that its texture uses; empty: the first
};

class FbxMaterials {
 public:
  // Both must outlive it.
  FbxMaterials(const FbxDocument& document, Model& model)
      : document_(document), model_(model), textures_(document.options(), model),
        isByBlender_(childText(document.root(), "Creator").starts_with("Blender")) {}

  // The materials of a model, in the order by which its polygons name them. Each is read once;
  // version 6 connects textures to the model.
  std::vector<FbxMaterialUse> listUses(std::uint32_t object);
  // The material of polygons without one.
  std::uint32_t fallback();
  // The textures of the file that are drawn as normal maps.
  const std::set<std::uint32_t>& normalMaps() const { return normalMaps_; }
  // All that materials show beside their base colours.
  const std::set<std::uint32_t>& shown() const { return shown_; }

 private:
  FbxMaterialUse use(std::uint32_t object, std::uint32_t material, std::uint32_t texture);
  std::uint32_t textureIn(std::uint32_t material, std::span<const std::string_view> slots) const;
  std::string findTexcoordSet(std::uint32_t object, std::uint32_t texture) const;
  std::optional<std::string> secondTexcoordSet(std::uint32_t object, const std::string& set) const;
  std::optional<std::uint32_t> findNormalMap(std::uint32_t object, std::uint32_t material,
                                             std::optional<std::string>& texcoordSet);
  std::optional<std::uint32_t> further(std::uint32_t object, std::uint32_t material,
                                       std::span<const std::string_view> slots,
                                       std::optional<std::string>& texcoordSet);
  void readSurface(std::uint32_t object, std::uint32_t source,
                   std::optional<std::string>& texcoordSet, Material& material);
  void readSecondSet(std::uint32_t object, std::uint32_t source, const std::string& texcoordSet,
                     Material& material);
  std::uint32_t findVideo(std::uint32_t texture) const;
  std::optional<std::uint32_t> readTexture(std::uint32_t texture);
  Material read(std::uint32_t material, std::optional<std::uint32_t> texture) const;

  const FbxDocument& document_;
  Model& model_;
  TextureReader textures_;
  bool isByBlender_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, FbxMaterialUse> known_; // material and texture
  std::optional<std::uint32_t> fallback_;
  std::set<std::uint32_t> normalMaps_, shown_;
};

// Whether a texture connected to that property of a material is its base colour.
bool isFbxBaseColor(std::string_view property);

} // namespace sinew
