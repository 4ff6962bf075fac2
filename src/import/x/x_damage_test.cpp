// Damaged DirectX .x files: a model or one error, never more.
#include "core/test_effort.h"
#include "import/import_test_tools.h"

#include <doctest/doctest.h>

using namespace sinew;
using namespace sinew::test;

namespace {

namespace fs = std::filesystem;

const char* const kSmall =
    "xof 0303txt 0032\nFrame a { FrameTransformMatrix { 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1;; } Mesh m "
    "{ "
    "4; 0;0;0;,1;0;0;,1;1;0;,0;1;0;; 1; 4;0,1,2,3;; SkinWeights { \"a\"; 2; 0,1; 1,0.5; "
    "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1;; } DeclData { 1; 2;0;3;0;; 12; 1,2,3,4,5,6,7,8,9,1,2,3; } } "
    "Frame b { { m } } }\nAnimationSet s { Animation { { a } AnimationKey { 0; 2; "
    "0;4;1,0,0,0;;,9;4;0,1,0,0;;; } } }\n";

void readAnyX(const fs::path& path) {
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

void damageX(const std::string& bytes, int cases, unsigned seed) {
  const TempFolder folder;
  std::mt19937 random(seed);
  for (int i = 0; i < cases; ++i) {
    CAPTURE(i);
    readAnyX(folder.write("cut.x", bytes.substr(0, random() % bytes.size())));
    std::string changed = bytes;
    for (std::size_t k = 1 + random() % 4; k > 0; --k)
      changed[random() % changed.size()] =
          random() % 2 == 0 ? bytes[random() % bytes.size()] : static_cast<char>(random());
    readAnyX(folder.write("changed.x", changed));
  }
}

} // namespace

TEST_CASE("X: a small file changed anywhere") {
  damageX(kSmall, rounds(600, 100), 1);
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
    damageX(readFile(path), rounds(200, 40), seed++);
  }
}
