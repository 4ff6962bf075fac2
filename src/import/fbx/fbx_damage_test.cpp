// Damaged FBX files: a model or one error, never more. Each file is cut and changed at places
// spread over it, the same at every run.
#include "core/test_effort.h"
#include "import/fbx/fbx_test_file.h"
#include "import/import_test_tools.h"

#include <doctest/doctest.h>

using namespace sinew;
using namespace sinew::test;

namespace {

namespace fs = std::filesystem;

void readAny(const fs::path& path) {
  ImportOptions options;
  options.decodeTextures = false;
  options.maxVertices = 100000;
  try {
    importModel(path, options);
  } catch (const Error& error) {
    const std::string message = error.what();
    CHECK(contains(message, path.filename().string()));
    CHECK(message.find('\n') == std::string::npos);
  }
}

void damage(const std::string& bytes, int cases, unsigned seed) {
  const TempFolder folder;
  std::mt19937 random(seed);
  for (int i = 0; i < cases; ++i) {
    const std::size_t end = random() % bytes.size();
    CAPTURE(end);
    readAny(folder.write("cut.fbx", bytes.substr(0, end)));
  }
  for (int i = 0; i < cases; ++i) {
    std::string changed = bytes;
    const std::size_t count = 1 + random() % 4;
    for (std::size_t k = 0; k < count; ++k)
      changed[random() % changed.size()] = static_cast<char>(random());
    CAPTURE(i);
    readAny(folder.write("changed.fbx", changed));
  }
}

} // namespace

TEST_CASE("FBX: a small file cut anywhere") {
  FbxText file;
  file.model(1, "strip", "Mesh");
  file.object(2, "Geometry", "Geometry::strip", "Mesh", stripMesh(), 1);
  const TempFolder folder;
  for (const std::string& bytes :
       {file.text(), fbxBinary(file.text(), {7400, true}), fbxBinary(file.text(), {7500, false})})
    for (std::size_t end = 0; end < bytes.size(); ++end)
      readAny(folder.write("cut.fbx", bytes.substr(0, end)));
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
    damage(readFile(path), rounds(120, 20), seed++);
  }
}
