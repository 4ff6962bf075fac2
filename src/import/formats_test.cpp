#include "import/formats.h"

#include <doctest/doctest.h>

#include <set>

namespace sinew {
namespace {

std::string_view extensionOfContent(std::string_view bytes) {
  const Format* format = formatOfContent(bytes);
  return format == nullptr ? std::string_view() : format->extension;
}

} // namespace

TEST_CASE("formats: known by the first bytes") {
  CHECK(extensionOfContent("glTF\x02") == "glb");
  CHECK(extensionOfContent("\xef\xbb\xbf\n {\"asset\": {}}") == "gltf");
  CHECK(extensionOfContent("Kaydara FBX Binary  ") == "fbx");
  CHECK(extensionOfContent("; FBX 7.4.0 project file") == "fbx");
  CHECK(extensionOfContent("xof 0302txt 0032") == "x");
  CHECK(extensionOfContent("<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"\">") == "dae");
  CHECK(extensionOfContent("# made by hand\nv 0 0 0\n") == "obj");
  CHECK(extensionOfContent("o cube\n") == "obj");
  CHECK(extensionOfContent("HIERARCHY\nROOT Hips") == "bvh");
  CHECK(extensionOfContent("not a model").empty());
  CHECK(extensionOfContent("").empty());
}

TEST_CASE(
    "formats: each row is found by its extension alone, and files that begin as it says are its") {
  std::set<std::string_view> seen;
  for (const Format& format : formats()) {
    CAPTURE(format.extension);
    CHECK(seen.insert(format.extension).second);
    CHECK(findFormat(format.extension) == &format);
    CHECK((format.read == nullptr || !format.name.empty()));
    for (const std::string_view start : format.begins) {
      if (start.empty()) continue;
      CHECK(mayBegin(format, start));
      CHECK(formatOfContent(start)->begins == format.begins); // .glb and .vrm begin alike
    }
  }
  CHECK(findFormat(".glb") == findFormat("glb"));
  CHECK(findFormat("txt") == nullptr);
  CHECK_FALSE(mayBegin(*findFormat("glb"), "{}"));
}

} // namespace sinew
