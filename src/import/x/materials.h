// The materials of a .x file, and their textures.
#pragma once

#include "import/texture_reader.h"
#include "import/x/document.h"

#include <map>

namespace sinew {

class XMaterials {
 public:
  // Both must outlive it.
  XMaterials(const XDocument& document, Model& model)
      : document_(document), model_(model), textures_(document.options(), model) {}

  // The material of the model for a Material object, which is read once.
  std::uint32_t addMaterial(std::uint32_t object);
  // That of faces without one.
  std::uint32_t fallback();

 private:
  Material read(std::uint32_t object);

  const XDocument& document_;
  Model& model_;
  TextureReader textures_;
  std::map<std::uint32_t, std::uint32_t> known_; // by object
  std::optional<std::uint32_t> fallback_;
};

} // namespace sinew
