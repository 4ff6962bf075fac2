#include "import/format_checks.h"
#include "import/import_test_tools.h"

#include <doctest/doctest.h>

#include <cstring>

using namespace sinew;
using namespace sinew::test;

namespace {

// What is said of a file of so many zeros with some words in it.
std::string
describeLost(const char* extension, std::string bytes,
             std::initializer_list<std::pair<std::size_t, std::uint32_t>> numbers = {}) {
  for (const auto& [place, number] : numbers)
    std::memcpy(bytes.data() + place, &number, sizeof number);
  const TempFolder folder;
  SourceFile file;
  file.path = folder.write(std::string("a.") + extension, bytes);
  file.extension = extension;
  return lostParts(file, Model());
}

} // namespace

TEST_CASE("rigs that Assimp leaves out are named") {
  const std::string zeros(200, '\0');
  CHECK(contains(describeLost("ms3d", zeros, {{14 + 8 + 12, 3}}), "a skeleton of 3 joints"));
  CHECK(contains(describeLost("md2", zeros, {{40, 198}}), "198 frames of moved vertices"));
  CHECK(contains(describeLost("md3", zeros, {{76, 12}}), "12 frames"));
  CHECK(contains(describeLost("mdl", "IDPO" + zeros, {{68, 5}}), "5 frames"));
  CHECK(contains(describeLost("mdl", "MDL7" + zeros, {{8, 4}}), "4 bones"));
  const std::string armature = std::string("AR\0\0", 4) + std::string(28, '\0');
  const std::string mesh = std::string("ME\0\0", 4) + std::string(28, '\0');
  CHECK(contains(describeLost("blend", "BLENDER-v279" + mesh + armature, {{16, 8}, {48, 8}}),
                 "an armature"));
  CHECK(contains(describeLost("mesh", "[MeshSerializer]\nhero.skeleton\n"), "the skeleton 'hero'"));
  CHECK(contains(describeLost("xml", "<mesh><skeletonlink name=\"hero.skeleton\"/></mesh>"),
                 "the skeleton 'hero.skeleton'"));
  CHECK(contains(describeLost("ogex", "Skin { BoneRefArray { } }"), "skins"));
}

TEST_CASE("files without a rig lose nothing") {
  const std::string zeros(200, '\0');
  for (const char* extension : {"ms3d", "md2", "md3", "mdl", "blend", "mesh", "xml", "ogex", "obj"})
    CHECK(describeLost(extension, zeros).empty());
  CHECK(describeLost("md2", zeros, {{40, 1}}).empty());
  CHECK(describeLost("ms3d", "MS3D").empty());
}

TEST_CASE("files of Half-Life that are read with another model are refused with that remedy") {
  const TempFolder folder;
  std::string header(300, '\0');
  header[180] = 2;
  CHECK(contains(importError(folder.write("man01.mdl", "IDSQ" + header)).what(),
                 "holds animations of another model alone; open that model"));
  header.replace(0, 4, "IDST");
  CHECK(contains(importError(folder.write("manT.mdl", header)).what(),
                 "holds textures of another model alone; open that model"));
}

TEST_CASE("formats that nothing here reads are called by their names") {
  const TempFolder folder;
  CHECK(contains(importError(folder.write("a.ma", "//Maya")).what(),
                 "is a file of Maya, which is not read; save it as glTF 2.0 or FBX"));
  CHECK(contains(importError(folder.write("a.usdz", "PK")).what(), "is a file of USD"));
  // glTF 1.0 in its binary form: its length does not matter.
  CHECK(
      contains(importError(folder.write("a.glb", std::string("glTF\1\0\0\0\xff\0\0\0", 12))).what(),
               "only glTF 2.0 is read"));
}
