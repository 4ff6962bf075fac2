#include "commands/standard_input.h"

#include <doctest/doctest.h>

namespace sinew {

TEST_CASE("standard input: the format is known by the first bytes") {
  CHECK(extensionOfContent("glTF\x02") == ".glb");
  CHECK(extensionOfContent("\xef\xbb\xbf\n {\"asset\": {}}") == ".gltf");
  CHECK(extensionOfContent("Kaydara FBX Binary  ") == ".fbx");
  CHECK(extensionOfContent("; FBX 7.4.0 project file") == ".fbx");
  CHECK(extensionOfContent("xof 0302txt 0032") == ".x");
  CHECK(extensionOfContent("<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"\">") == ".dae");
  CHECK(extensionOfContent("# made by hand\nv 0 0 0\n") == ".obj");
  CHECK(extensionOfContent("o cube\n") == ".obj");
  CHECK(extensionOfContent("HIERARCHY\nROOT Hips") == ".bvh");
  CHECK(extensionOfContent("not a model").empty());
  CHECK(extensionOfContent("").empty());
}

} // namespace sinew
