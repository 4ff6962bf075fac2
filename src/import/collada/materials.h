// The materials of a Collada file, and their textures.
#pragma once

#include "import/collada/geometry.h"
#include "import/texture_reader.h"

#include <map>

namespace sinew {

class ColladaMaterials {
 public:
  // All must outlive it.
  ColladaMaterials(const ColladaDocument& document, UnusedCounts& unused, Model& model)
      : document_(document), unused_(unused), model_(model), textures_(document.options(), model) {}

  // What the symbols of primitives stand for where an instance shows them.
  ColladaMaterialLookup bound(const pugi::xml_node& instance);
  // That of polygons without one.
  std::uint32_t fallback();

 private:
  struct ReadMaterial {
    std::uint32_t material = 0;
    std::string texcoord; // by which its base colour is painted: a semantic that instances bind
  };
  const ReadMaterial& readMaterial(const pugi::xml_node& material);

  const ColladaDocument& document_;
  UnusedCounts& unused_;
  Model& model_;
  TextureReader textures_;
  std::map<const void*, ReadMaterial> known_; // by element
  std::optional<std::uint32_t> fallback_;
};

} // namespace sinew
