#include "editor/material_list.h"

#include <doctest/doctest.h>

namespace sinew {

TEST_CASE("materials: who uses them, which textures are unused, and single channels") {
  Model model;
  model.textures.resize(4);
  model.materials.resize(3);
  model.materials[0].texture = 1;
  model.materials[0].normalTexture = 3;
  model.materials[2].texture = 0; // no mesh has this material
  for (const char* name : {"head", "body", "body"}) {
    Mesh& mesh = model.meshes.emplace_back();
    mesh.name = name;
    mesh.material = 0;
    mesh.triangles.resize(5);
  }
  model.meshes[0].material = 1;
  const std::vector<MaterialUse> uses = materialUses(model);
  REQUIRE(uses.size() == 3);
  CHECK(uses[0].meshes == std::vector<std::string>{"body"});
  CHECK(uses[0].triangles == 10);
  REQUIRE(uses[0].textures.size() == 2);
  CHECK(uses[0].textures[1].texture == 3);
  CHECK(uses[0].textures[1].as == "normal map");
  CHECK(uses[1].meshes == std::vector<std::string>{"head"});
  CHECK(uses[2].meshes.empty());
  CHECK(unusedTextures(model) == std::vector<std::uint32_t>{0, 2});

  const Image image{2, 1, {1, 2, 3, 4, 5, 6, 7, 8}};
  CHECK(imageOfChannels(image, TextureChannels::color).rgba ==
        std::vector<std::uint8_t>{1, 2, 3, 255, 5, 6, 7, 255});
  CHECK(imageOfChannels(image, TextureChannels::alpha).rgba ==
        std::vector<std::uint8_t>{4, 4, 4, 255, 8, 8, 8, 255});
  CHECK(imageOfChannels(image, TextureChannels::green).rgba ==
        std::vector<std::uint8_t>{2, 2, 2, 255, 6, 6, 6, 255});
}

} // namespace sinew
