// What a hostile file can make of names, repetitions and missing files.
#include "import/clip_repairs.h"
#include "import/gltf/gltf_test_file.h"
#include "import/import_test_tools.h"
#include "import/isolated_import.h"
#include "import/model_finish.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <unistd.h>

using namespace sinew;
using namespace sinew::test;

TEST_CASE("hostile files: control characters of names become blanks, and nodes stay unique") {
  const TempFolder folder;
  GltfFile file;
  file.json["nodes"][0]["name"] = "a\x1b[31m\nrow\xc2\x9b"
                                  "b\xe2\x80\xae"
                                  "c";
  file.json["meshes"][0]["name"] = "m\r\x7f";
  const Model model = importModel(folder.write("a.gltf", file.text()));
  CHECK(findNode(model.hierarchy, "a [31m row b c").has_value());
  CHECK(model.meshes.at(0).name == "m  ");

  Model twins;
  twins.hierarchy.nodes = {{"a\nb", kNoNode, {}}, {"a\tb", 0, {}}};
  makeNamesPrintable(twins);
  CHECK(twins.hierarchy.nodes[0].name == "a b");
  CHECK(twins.hierarchy.nodes[1].name != "a b");
}

TEST_CASE("hostile files: clips of one name are numbered in linear time") {
  std::vector<Clip> clips(200'000);
  for (Clip& clip : clips)
    clip.name = "walk";
  nameClips(clips);
  CHECK(clips[0].name == "walk");
  CHECK(clips.back().name == "walk (200000)");
}

TEST_CASE("hostile files: equal triangles are dropped, those of the other side are not") {
  const TempFolder folder;
  std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n";
  for (int i = 0; i < 1000; ++i)
    text += i % 2 == 0 ? "f 1 2 3\n" : "f 2 3 1\n";
  text += "f 2 4 3\n";
  const Model model = importModel(folder.write("a.obj", text));
  CHECK(triangleCount(model) == 2);
  CHECK(anyContains(model.repairs, "999 triangles repeat another one"));
  const Model both = importModel(
      folder.write("b.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//1\nf 1//1 3//1 "
                            "2//1\nf 1//1 3//1 2//1\n"));
  CHECK(triangleCount(both) == 2);
}

TEST_CASE("hostile files: any number of missing textures gives few textures and warnings") {
  const TempFolder folder;
  std::string materials, faces = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\n";
  for (int i = 0; i < 500; ++i) {
    materials += fmt::format("newmtl m{0}\nmap_Kd gone{0}.png\n", i);
    faces += fmt::format("v {0} 0 1\nusemtl m{0}\nf 1/1 2/1 -1/1\n", i);
  }
  folder.write("a.mtl", materials);
  folder.write(".secret.png", "x");
  const Model model = importModel(folder.write("a.obj", faces));
  CHECK(model.textures.size() <= 64);
  CHECK(model.warnings.size() <= 65);
  CHECK(anyContains(model.warnings, "more warnings"));
  CHECK_FALSE(anyContains(model.warnings, "secret"));
  for (const Material& material : model.materials)
    if (material.texture) CHECK(*material.texture < model.textures.size());
}

TEST_CASE("hostile files: a reader that closes its pipe and stays is stopped in time") {
  const auto reader = [](const ImportProgress&) -> Model {
    for (int fd = 3; fd < 256; ++fd)
      ::close(fd);
    while (true)
      std::this_thread::sleep_for(std::chrono::seconds(1));
  };
  try {
    readIsolated("some/file.x", reader, {}, {.seconds = 0.3});
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.cause() == ErrorCause::limit);
    CHECK(contains(error.what(), "not read within 0.3 s"));
  }
}

TEST_CASE("hostile files: a face of a million corners is refused before it is cut") {
  const TempFolder folder;
  std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf";
  for (int i = 0; i < 300'000; ++i)
    text += " 1 2 3";
  const Error error = importError(folder.write("a.obj", text + "\n"));
  CHECK(error.cause() == ErrorCause::limit);
  CHECK(contains(error.what(), "a face of 900000 corners"));
}
