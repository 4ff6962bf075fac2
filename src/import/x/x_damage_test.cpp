// Damaged DirectX .x files: a model or one error, never more.
#include "core/test_effort.h"
#include "import/damage_test_tools.h"

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

} // namespace

TEST_CASE("X: a small file changed anywhere") {
  damage(kSmall, ".x", rounds(600, 100), 1);
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
