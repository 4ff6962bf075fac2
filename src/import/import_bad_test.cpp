// Files that cannot be read: one clear line and the right exit code.
#include "import/import_test_tools.h"

#include <doctest/doctest.h>

using namespace sinew;
using namespace sinew::test;

namespace {

void checkRefused(const std::filesystem::path& path, std::string_view why) {
  const Error error = importError(path);
  const std::string message = error.what();
  CAPTURE(message);
  CHECK(error.cause() == ErrorCause::input);
  CHECK(contains(message, path.filename().string()));
  CHECK(contains(message, why));
  CHECK(message.find('\n') == std::string::npos);
}

} // namespace

TEST_CASE("missing, empty, folder, unknown kind") {
  const TempFolder folder;
  checkRefused(folder.path / "nothing.fbx", "no such file");
  checkRefused(folder.path, "is a folder");
  checkRefused(folder.write("empty.x", ""), "is empty");
  checkRefused(folder.write("notes.txt", "hello"), "'.txt' is not a kind of model file");
  checkRefused(folder.write("noextension", "hello"), "no extension");
}

TEST_CASE("content that is not what the name says") {
  const TempFolder folder;
  checkRefused(folder.write("a.glb", "xof 0303txt 0032\n"), "rename it to end in .x");
  checkRefused(folder.write("b.x", "Kaydara FBX Binary  "), "rename it to end in .fbx");
  checkRefused(folder.write("c.x", "\x1f\x8b\x08 and so on"), "gunzip");
  checkRefused(folder.write("d.fbx", std::string("PK\x03\x04", 4)), "zip archive");
  checkRefused(folder.write("e.md5mesh", "just text"), "is not a .md5mesh file");
  checkRefused(folder.write("f.b3d", "nonsense"), "is not a .b3d file");
  checkRefused(folder.write("g.dae", "nonsense"), "is not a .dae file");
}

TEST_CASE("damaged content") {
  const TempFolder folder;
  checkRefused(folder.write("a.x", "xof 0303txt 0032\nFrame Root {\n Mesh m { 4; 0;0;0;,"),
               "ends inside a block");
  checkRefused(folder.write("b.gltf", "{ \"asset\": "), "not a usable glTF file");
  checkRefused(folder.write("c.md5mesh", "MD5Version 10\nnumJoints 4000000000\nnumMeshes 1\n"),
               "declares 4000000000 Joints");
  checkRefused(folder.write("d.off", "OFF\n353535235358 6 0\n"), "declares 353535235358");
  checkRefused(
      folder.write("e.ply", "ply\nformat ascii 1.0\nelement vertex 99999999\nend_header\n"),
      "declares 99999999 vertex");
  checkRefused(folder.write("f.glb", std::string("glTF\2\0\0\0\xff\0\0\0", 12)), "is cut short");
  checkRefused(folder.write("g.b3d", std::string("BB3D\xff\xff\0\0", 8)), "is cut short");
  checkRefused(folder.write("h.obj", "# only a comment\nv 0 0 0\n"), "h.obj");
  checkRefused(folder.write("i.fbx", "Kaydara FBX Binary  and then nothing of use, for 60 bytes.."),
               "not a usable FBX binary file");
}

TEST_CASE("limits have a separate exit code") {
  const TempFolder folder;
  const auto path = folder.write("t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  ImportOptions options;
  options.maxFileBytes = 10;
  CHECK(importError(path, options).cause() == ErrorCause::limit);
  options = {};
  options.maxVertices = 2;
  CHECK(importError(path, options).cause() == ErrorCause::limit);
  options.maxVertices = 3;
  CHECK(vertexCount(importModel(path, options)) == 3);
}

TEST_CASE("progress rises to one, and cancelling stops the import wherever it is") {
  const TempFolder folder;
  const auto path = folder.write("t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  std::vector<float> seen;
  ImportOptions options;
  options.progress = [&](float fraction, std::string_view what) {
    CHECK_FALSE(what.empty());
    seen.push_back(fraction);
    return true;
  };
  importModel(path, options);
  REQUIRE(seen.size() > 4);
  CHECK(std::is_sorted(seen.begin(), seen.end()));
  CHECK(seen.back() == 1.0f);
  for (std::size_t stop = 0; stop < seen.size(); ++stop) {
    std::size_t calls = 0;
    options.progress = [&](float, std::string_view) { return calls++ < stop; };
    CHECK_THROWS_AS(importModel(path, options), Cancelled);
  }
}
