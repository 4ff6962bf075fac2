// Which files a model's import may open, and that no byte of another one reaches the model.
#include "core/base64.h"
#include "import/import_test_tools.h"
#include "import/isolated_import.h"
#include "import/model_folder.h"
#include "model/model_bytes.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

using namespace sinew;
using namespace sinew::test;

namespace {

namespace fs = std::filesystem;
using Kind = ModelFolder::Kind;

// A model's folder within another one that holds what must not be read.
struct Pack {
  Pack() {
    fs::create_directories(folder.path / "pack" / "textures");
    folder.write("secret.bin", kSecret);
    folder.write("secret.tga", kTga);
    folder.write("pack/inside.bin", kSecret);
  }
  fs::path write(const std::string& name, std::string_view content) const {
    return folder.write("pack/" + name, content);
  }
  fs::path path(const std::string& name) const { return folder.path / "pack" / name; }

  // 36 bytes that are three corners of a triangle as well.
  static constexpr std::string_view kSecret = "sec?ret?txt?sec@ret?txt?sec?ret@txt?";
  static inline const std::string kTga{"\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\x18\0\x10\x20\x30", 21};
  const TempFolder folder;
};

// A triangle whose corners are the 36 bytes of a buffer.
std::string gltf(const std::string& uri, const std::string& image = {}) {
  return fmt::format(R"({{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
"nodes":[{{"mesh":0}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}{}}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}}],
"bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":36}}],
{}
"buffers":[{{"byteLength":36,"uri":"{}"}}]}})",
                     image.empty() ? "" : ",\"material\":0",
                     image.empty() ? ""
                                   : fmt::format(R"("materials":[{{"pbrMetallicRoughness":
{{"baseColorTexture":{{"index":0}}}}}}],"textures":[{{"source":0}}],"images":[{{"uri":"{}"}}],)",
                                                 image),
                     uri);
}

std::string dataUri() {
  const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  return "data:application/octet-stream;base64," +
         base64({reinterpret_cast<const char*>(corners), sizeof corners});
}

bool holdsSecret(const Model& model) {
  const std::vector<std::byte> bytes = toBytes(model);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.find("ret?txt?") != std::string_view::npos;
}

} // namespace

TEST_CASE("a model's folder: what is in it is found, what is elsewhere is refused unseen") {
  const Pack pack;
  const ModelFolder folder(pack.path("m.gltf"), 1000);
  CHECK(folder.find("inside.bin").kind == Kind::file);
  CHECK(folder.find("./textures/../inside.bin").inside == "inside.bin");
  CHECK(folder.find("textures").kind == Kind::folder);
  CHECK(folder.find("gone.bin").kind == Kind::missing);
  CHECK(folder.find("inside.bin/below").kind == Kind::missing);
  CHECK(folder.find(folder.absolute() / "inside.bin").inside == "inside.bin");
  CHECK(folder.toInsideName(folder.absolute() / "../x") == "../x");
  // The answer is the same whether there is such a file or not.
  for (const char* name :
       {"../secret.bin", "../gone.bin", "textures/../../secret.bin", "textures/../../gone.bin",
        "gone/../../secret.bin", "/etc/passwd", "/etc/gone", "/proc/self/environ", "/", ".."})
    CHECK_MESSAGE(folder.find(name).kind == Kind::refused, name);
  CHECK(folder.find(folder.absolute() / "../secret.bin").kind == Kind::refused);
  CHECK(folder.find(folder.absolute().string() + "2/secret.bin").kind == Kind::refused);
  CHECK(folder.find(std::string("textures/..\0/x", 14)).kind == Kind::refused);
}

TEST_CASE("a model's folder: links are followed within it alone") {
  const Pack pack;
  const ModelFolder folder(pack.path("m.gltf"), 1000);
  const auto link = [&](const fs::path& target, const char* name) {
    fs::create_symlink(target, pack.path(name));
    return folder.find(name);
  };
  CHECK(link("inside.bin", "near").inside == "inside.bin");
  CHECK(link("../inside.bin", "textures/near").inside == "inside.bin");
  CHECK(link(folder.absolute() / "inside.bin", "whole").inside == "inside.bin");
  CHECK(link("../secret.bin", "out").kind == Kind::refused);
  CHECK(link("../gone.bin", "dangling").kind == Kind::refused);
  CHECK(link("/etc/passwd", "away").kind == Kind::refused);
  CHECK(link("..", "up").kind == Kind::refused);
  CHECK(folder.find("up/secret.bin").kind == Kind::refused);
  CHECK(link("round", "round").kind == Kind::missing);
}

TEST_CASE("a model's folder: hidden, endless and overlong files are refused") {
  const Pack pack;
  const ModelFolder folder(pack.path("m.gltf"), 1000);
  fs::create_directories(pack.path(".ssh"));
  pack.write(".ssh/key", "x");
  CHECK(folder.find(".ssh/key").kind == Kind::refused);
  REQUIRE(::mkfifo(pack.path("fifo").c_str(), 0600) == 0);
  CHECK(folder.find("fifo").kind == Kind::refused);
  pack.write("long.bin", std::string(1001, 'x'));
  CHECK(folder.find("long.bin").kind == Kind::refused);
}

TEST_CASE("a buffer outside the model's folder is not read") {
  const Pack pack;
  fs::create_symlink("../secret.bin", pack.path("link.bin"));
  REQUIRE(::mkfifo(pack.path("fifo.bin").c_str(), 0600) == 0);
  for (const std::string& uri :
       {std::string("../secret.bin"), std::string("./../secret.bin"),
        std::string("textures/../../secret.bin"), std::string("link.bin"), std::string("fifo.bin"),
        std::string("../gone.bin"), std::string("../../../../../../../../etc/passwd"),
        std::string("../../../../../../../../proc/self/environ"),
        std::string("../../../../../../../../dev/zero")}) {
    CAPTURE(uri);
    const Error error = importError(pack.write("m.gltf", gltf(uri)));
    CHECK(error.cause() == ErrorCause::input);
    CHECK(contains(error.what(), fmt::format("'{}'", fs::path(uri).lexically_normal().string())));
    CHECK(contains(error.what(), ModelFolder::kRefusal));
  }
  for (const std::string& uri :
       {pack.folder.path.string() + "/secret.bin",
        "file://" + pack.folder.path.string() + "/secret.bin", std::string("..%2fsecret.bin"),
        std::string("..\\\\secret.bin"), std::string("/etc/passwd")}) {
    CAPTURE(uri);
    CHECK(importError(pack.write("m.gltf", gltf(uri))).cause() == ErrorCause::input);
  }
  // A buffer beside the model, also by a link within the folder, is.
  CHECK(holdsSecret(importModel(pack.write("m.gltf", gltf("inside.bin")))));
  fs::create_symlink("../inside.bin", pack.path("textures/near.bin"));
  CHECK(holdsSecret(importModel(pack.write("m.gltf", gltf("textures/near.bin")))));
}

TEST_CASE(
    "a texture outside the model's folder is not read, and the message is that of a missing one") {
  const Pack pack;
  fs::create_symlink("../secret.tga", pack.path("link.tga"));
  REQUIRE(::mkfifo(pack.path("fifo.tga").c_str(), 0600) == 0);
  std::vector<std::string> warnings;
  for (const std::string& uri :
       {std::string("../secret.tga"), std::string("..\\\\secret.tga"),
        std::string("..%2fsecret.tga"), std::string("link.tga"), std::string("fifo.tga"),
        std::string("../gone.tga"), pack.folder.path.string() + "/secret.tga",
        pack.folder.path.string() + "/gone.tga"}) {
    CAPTURE(uri);
    const Model model = importModel(pack.write("m.gltf", gltf(dataUri(), uri)));
    REQUIRE(model.textures.size() == 1);
    CHECK_FALSE(model.textures[0].found);
    CHECK(anyContains(model.warnings, ModelFolder::kRefusal));
  }
  // A name of elsewhere is looked for beside the model too.
  pack.write("textures/secret.tga", Pack::kTga);
  const Model model = importModel(pack.write("m.gltf", gltf(dataUri(), "/home/artist/secret.tga")));
  CHECK(model.textures.at(0).found);
  CHECK(model.warnings.empty());
}

TEST_CASE("a texture is read from the folders that the user names, and from nothing beside them") {
  const Pack pack;
  const fs::path named = pack.folder.path / "named";
  fs::create_directories(named / "Textures");
  pack.folder.write("named/Textures/skin.tga", Pack::kTga);
  fs::create_symlink("../secret.tga", named / "link.tga");
  ImportOptions options;
  options.textureFolders = {named};
  const auto importTexture = [&](const std::string& uri) {
    return importModel(pack.write("m.gltf", gltf(dataUri(), uri)), options).textures.at(0);
  };
  CHECK(importTexture("skin.tga").found); // in a folder that artists use, without case
  CHECK(importTexture("/home/artist/Textures/skin.tga").found);
  CHECK_FALSE(importModel(pack.write("m.gltf", gltf(dataUri(), "skin.tga"))).textures[0].found);
  for (const char* uri : {"../secret.tga", "link.tga", "secret.tga"})
    CHECK_FALSE_MESSAGE(importTexture(uri).found, uri);
  // The model's own folder comes first.
  pack.write("skin.tga", Pack::kTga);
  CHECK(contains(importTexture("skin.tga").source, "pack"));
  // The same from within the sandbox.
  fs::remove(pack.path("skin.tga"));
  CHECK(importIsolated(pack.write("m.gltf", gltf(dataUri(), "skin.tga")), options)
            .textures.at(0)
            .found);
}

TEST_CASE("OBJ and Collada files read nothing outside their folder") {
  const Pack pack;
  pack.folder.write("m.mtl", "newmtl secret\nKd 0 1 0\n");
  const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl secret\nf 1 2 3\n";
  const Model refused = importModel(pack.write("m.obj", "mtllib ../m.mtl\n" + obj));
  CHECK(anyContains(refused.warnings, fmt::format("'../m.mtl' {}", ModelFolder::kRefusal)));
  CHECK(refused.materials.at(0).baseColor.x == refused.materials.at(0).baseColor.y);
  pack.write("m.mtl", "newmtl secret\nKd 0 1 0\n");
  const Model read = importModel(pack.write("m.obj", "mtllib m.mtl\n" + obj));
  CHECK(read.warnings.empty());
  CHECK(read.materials.at(0).baseColor.x == 0.0f);

  const Model collada = importModel(pack.write("m.dae", R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<library_images><image id="i"><init_from>../secret.tga</init_from></image></library_images>
<library_effects><effect id="e"><profile_COMMON>
<newparam sid="s"><surface type="2D"><init_from>i</init_from></surface></newparam>
<newparam sid="p"><sampler2D><source>s</source></sampler2D></newparam>
<technique sid="t"><phong><diffuse><texture texture="p" texcoord="u"/></diffuse></phong></technique>
</profile_COMMON></effect></library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh>
<source id="s"><float_array id="f" count="9">0 0 0 1 0 0 0 1 0</float_array><technique_common>
<accessor source="#f" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<triangles count="1" material="a"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="x"><node><instance_geometry url="#g"><bind_material>
<technique_common><instance_material symbol="a" target="#m"/></technique_common></bind_material>
</instance_geometry></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#x"/></scene></COLLADA>)"));
  REQUIRE(collada.textures.size() == 1);
  CHECK_FALSE(collada.textures[0].found);
  CHECK(anyContains(collada.warnings, ModelFolder::kRefusal));
}

TEST_CASE("what lies beside a model is still read: animations of MD5, links to models") {
  const auto hands = sharedModels() / "redeclipse_hands" / "hud_hands.md5mesh";
  const Pack pack;
  // The user names a link: its side-by-side models lie beside it, or beside nothing else.
  const fs::path model = pack.write("m.gltf", gltf("inside.bin"));
  fs::create_directories(pack.path("linked"));
  fs::create_symlink("../m.gltf", pack.path("linked/m.gltf"));
  CHECK(importError(pack.path("linked/m.gltf")).cause() == ErrorCause::input);
  pack.write("linked/inside.bin", Pack::kSecret);
  CHECK(holdsSecret(importModel(pack.path("linked/m.gltf"))));
  if (!fs::exists(hands)) return;
  fs::copy_file(hands, pack.path("a.md5mesh"));
  fs::copy_file(hands.parent_path() / "hud_hands.md5anim", pack.path("a.md5anim"));
  CHECK(importModel(pack.path("a.md5mesh")).clips.size() == 1);
}

namespace {

// Reads it in this process, and in one of its own.
std::array<Model, 2> readBothWays(const fs::path& path, const FetchFile& fetch) {
  ImportOptions options;
  options.fetch = fetch;
  return {importModel(path, options), importIsolated(path, options)};
}

} // namespace

TEST_CASE("files beside a model are asked for where they are missing, and for no others") {
  const Pack pack;
  const std::string corners = *fromBase64(dataUri().substr(dataUri().find(',') + 1));
  std::vector<std::string> asked;
  const auto give = [&](const std::string& name) {
    asked.push_back(name);
    fs::create_directories(pack.path(name).parent_path());
    if (name.ends_with(".bin")) pack.write(name, corners);
    if (name.ends_with(".tga")) pack.write(name, Pack::kTga);
    if (name.ends_with(".mtl")) pack.write(name, "newmtl skin\nmap_Kd maps/skin.tga\n");
  };
  SUBCASE("buffers and images of glTF") {
    for (const bool isolated : {false, true}) {
      CAPTURE(isolated);
      fs::remove_all(pack.path("parts"));
      fs::remove_all(pack.path("images"));
      asked.clear();
      ImportOptions options;
      options.fetch = give;
      const auto path = pack.write("m.gltf", gltf("parts/a%20b.bin", "images/skin.tga"));
      const Model model = isolated ? importIsolated(path, options) : importModel(path, options);
      CHECK(std::set<std::string>(asked.begin(), asked.end()) ==
            std::set<std::string>{"images/skin.tga", "parts/a b.bin"});
      REQUIRE(model.textures.size() == 1);
      CHECK(model.textures[0].found);
    }
  }
  SUBCASE("material files, and what they name") {
    for (const bool isolated : {false, true}) {
      CAPTURE(isolated);
      fs::remove(pack.path("m.mtl"));
      fs::remove_all(pack.path("maps"));
      ImportOptions options;
      options.fetch = give;
      const auto path = pack.write("m.obj", "mtllib m.mtl\nusemtl skin\nv 0 0 0\nv 1 0 0\n"
                                            "v 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n");
      const Model model = isolated ? importIsolated(path, options) : importModel(path, options);
      REQUIRE(model.textures.size() == 1);
      CHECK(model.textures[0].found);
    }
  }
  SUBCASE("an image of another machine by its bare name") {
    for (const Model& model :
         readBothWays(pack.write("m.gltf", gltf("inside.bin", "C:/art/skin.tga")), give))
      CHECK(model.textures.at(0).found);
    CHECK(asked == std::vector<std::string>{"skin.tga"});
  }
  SUBCASE("never one outside the folder, and no hidden one") {
    for (const std::string& uri :
         {std::string("../secret.bin"), std::string("a/../../secret.bin"),
          std::string("/etc/passwd"), std::string("gone/.ssh/key"), std::string("..%2fgone.bin"),
          std::string("a%0ab.bin"), std::string(2000, 'a')}) {
      CAPTURE(uri);
      const auto path = pack.write("m.gltf", gltf(uri));
      CHECK_THROWS_AS(readBothWays(path, give), Error);
      ImportOptions options;
      options.fetch = give;
      CHECK_THROWS_AS(importIsolated(path, options), Error);
    }
    CHECK(asked.empty());
  }
  SUBCASE("what is not given is missing, and a callback that throws ends the import") {
    const auto path = pack.write("m.gltf", gltf("gone.bin"));
    const FetchFile none = [](const std::string&) {};
    CHECK_THROWS_WITH_AS(readBothWays(path, none), doctest::Contains("was not found"), Error);
    ImportOptions options;
    options.fetch = [](const std::string& name) { throw usageError("callback: " + name); };
    for (const bool isolated : {false, true}) {
      CAPTURE(isolated);
      CHECK_THROWS_WITH(isolated ? importIsolated(path, options) : importModel(path, options),
                        "callback: gone.bin");
    }
  }
}

TEST_CASE("a name that may be asked for is a plain one below the folder") {
  for (const char* name : {"a", "a b.bin", "textures/skin.png", "a/b/c.d", "C:x"})
    CHECK_MESSAGE(isFetchable(name), name);
  for (const std::string_view name :
       {std::string_view(""), std::string_view("/a"), std::string_view("../a"),
        std::string_view("a/../b"), std::string_view("./a"), std::string_view("a/"),
        std::string_view("a//b"), std::string_view(".a"), std::string_view("a/.b/c"),
        std::string_view("."), std::string_view(".."), std::string_view("a\nb"),
        std::string_view("a\0b", 3)})
    CHECK_FALSE_MESSAGE(isFetchable(name), name);
}
