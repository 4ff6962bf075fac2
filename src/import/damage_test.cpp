// Damaged files of the formats that sinew reads itself: a model or one error in a line, never more.
// Each file is cut and changed at places spread over it, the same at every run.
#include "core/test_effort.h"
#include "import/collada/collada_test_file.h"
#include "import/fbx/fbx_test_file.h"
#include "import/import_test_tools.h"

#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <random>
#include <string>

using namespace sinew;
using namespace sinew::test;

namespace {

namespace fs = std::filesystem;

// Reads it, or checks that the error is one line that names the file.
void readDamaged(const std::filesystem::path& path) {
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

// So many files cut anywhere, and as many with up to four bytes changed, half of them into bytes of
// the file; the same at every run. extension: with its dot.
void damage(const std::string& bytes, const std::string& extension, int cases, unsigned seed) {
  const TempFolder folder;
  std::mt19937 random(seed);
  for (int i = 0; i < cases; ++i) {
    CAPTURE(i);
    readDamaged(folder.write("cut" + extension, bytes.substr(0, random() % bytes.size())));
    std::string changed = bytes;
    for (std::size_t k = 1 + random() % 4; k > 0; --k)
      changed[random() % changed.size()] =
          random() % 2 == 0 ? bytes[random() % bytes.size()] : static_cast<char>(random());
    readDamaged(folder.write("changed" + extension, changed));
  }
}

const char* const kSmallX =
    "xof 0303txt 0032\nFrame a { FrameTransformMatrix { 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1;; } Mesh m "
    "{ "
    "4; 0;0;0;,1;0;0;,1;1;0;,0;1;0;; 1; 4;0,1,2,3;; SkinWeights { \"a\"; 2; 0,1; 1,0.5; "
    "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1;; } DeclData { 1; 2;0;3;0;; 12; 1,2,3,4,5,6,7,8,9,1,2,3; } } "
    "Frame b { { m } } }\nAnimationSet s { Animation { { a } AnimationKey { 0; 2; "
    "0;4;1,0,0,0;;,9;4;0,1,0,0;;; } } }\n";

const fs::path kFixit = "/usr/share/assimp/models/IQM/mrfixit.iqm";
constexpr std::size_t kIqmHeader = 124;
using IqmNumbers =
    std::vector<std::pair<std::size_t, std::uint32_t>>; // where, counted in fours; what

} // namespace

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

TEST_CASE("X: a small file changed anywhere") {
  damage(kSmallX, ".x", rounds(600, 100), 1);
}

TEST_CASE("X: text, binary and compressed files cut and changed") {
  unsigned seed = 2;
  for (const char* name : {"test_cube_text.x", "test_cube_binary.x", "test_cube_compressed.x"}) {
    const fs::path path = fs::path("/usr/share/assimp/models/X") / name;
    if (!fs::exists(path)) {
      MESSAGE("skipped, not there: ", path.string());
      continue;
    }
    CAPTURE(name);
    damage(readFile(path), ".x", rounds(200, 40), seed++);
  }
}

TEST_CASE("Collada: files cut and changed are a model or one error") {
  const std::string small = skinnedTriangle();
  const TempFolder folder;
  CHECK(importModel(folder.write("a.dae", small)).meshes.at(0).skin);
  damage(small, ".dae", rounds(600, 100), 3);
  const std::filesystem::path man = sharedModels() / "cesium_man/CesiumMan.dae";
  if (std::filesystem::exists(man)) damage(readFile(man), ".dae", rounds(20, 3), 4);
}

TEST_CASE("IQM: what a header declares is checked against the file") {
  const TempFolder folder;
  const auto complain = [&](const IqmNumbers& numbers) {
    std::string bytes = "INTERQUAKEMODEL" + std::string(kIqmHeader + 20 - 15, '\0');
    const std::uint32_t version = 2;
    std::memcpy(bytes.data() + 16, &version, sizeof version);
    for (const auto& [field, value] : numbers)
      std::memcpy(bytes.data() + 16 + 4 * field, &value, sizeof value);
    return std::string(importError(folder.write("a.iqm", bytes)).what());
  };
  const auto complaint = [&](std::size_t field, std::uint32_t value) {
    return complain({{field, value}});
  };
  CHECK(contains(complaint(0, 1), "it is of version 1, and version 2 is read"));
  CHECK(contains(complaint(1, 4000), "it is cut short"));
  CHECK(contains(complaint(13, 0xffffffff), "declares 4294967295 joints"));
  CHECK(contains(complaint(10, 0x7fffffff), "declares 2147483647 triangles"));
  CHECK(contains(complaint(3, 9999), "declares 9999 bytes of names"));
  // One array, behind the header, whose vertices take no bytes.
  CHECK(contains(complain({{7, 1}, {8, 0xffffffff}, {9, kIqmHeader}, {27 + 2, 7}, {27 + 3, 0}}),
                 "has 0 components of format 7"));
}

TEST_CASE("IQM: a real file cut and changed") {
  if (!fs::exists(kFixit)) {
    MESSAGE("skipped, not there: ", kFixit.string());
    return;
  }
  const std::string bytes = readFile(kFixit);
  damage(bytes, ".iqm", rounds(50, 10), 7);
  const TempFolder folder;
  std::mt19937 random(8);
  for (int i = 0; i < rounds(100, 20); ++i) {
    CAPTURE(i);
    std::string changed = bytes;
    for (int k = 0; k < 2; ++k) // in the header and what it lists
      changed[16 + random() % 1000] = static_cast<char>(random());
    readDamaged(folder.write("changed.iqm", changed));
  }
}
