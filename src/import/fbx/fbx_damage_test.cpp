// Damaged FBX files: a model or one error, never more. Each file is cut and changed at places
// spread over it, the same at every run.
#include "core/test_effort.h"
#include "import/damage_test_tools.h"
#include "import/fbx/fbx_test_file.h"

#include <doctest/doctest.h>

using namespace sinew;
using namespace sinew::test;

namespace fs = std::filesystem;

TEST_CASE("FBX: a small file cut anywhere") {
  FbxText file;
  file.model(1, "strip", "Mesh");
  file.object(2, "Geometry", "Geometry::strip", "Mesh", stripMesh(), 1);
  const TempFolder folder;
  for (const std::string& bytes :
       {file.text(), fbxBinary(file.text(), {7400, true}), fbxBinary(file.text(), {7500, false})})
    for (std::size_t end = 0; end < bytes.size(); end += static_cast<std::size_t>(rounds(1, 7)))
      readDamaged(folder.write("cut.fbx", bytes.substr(0, end)));
}

TEST_CASE("FBX: real files cut and changed") {
  const fs::path cases = sharedModels() / "ufbx_cases";
  unsigned seed = 1;
  for (const char* name :
       {"maya_blend_shape_cube_6100_binary.fbx", "maya_blend_shape_cube_7700_ascii.fbx",
        "maya_transformed_skin_6100_binary.fbx", "max_transformed_skin_7500_binary.fbx",
        "maya_game_sausage_7500_ascii_spin.fbx", "max_transformed_skin_6100_ascii.fbx",
        "maya_game_sausage_7500_binary_combined.fbx"}) {
    const fs::path path = cases / name;
    if (!fs::exists(path)) {
      MESSAGE("skipped, not there: ", path.string());
      continue;
    }
    CAPTURE(name);
    damage(readFile(path), ".fbx", rounds(120, 20), seed++);
  }
}
