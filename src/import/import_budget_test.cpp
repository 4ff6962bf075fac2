// Small files of large cost: one clear line, and little memory.
#include "import/gltf/gltf_test_file.h"
#include "import/image_decoder.h"
#include "import/import_budget.h"
#include "import/import_test_tools.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <ctime>

using namespace sinew;
using namespace sinew::test;

namespace {

using Json = GltfFile::Json;

// Time of this process alone, so that others do not count.
double processorSeconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void checkLimited(const std::filesystem::path& path, std::string_view why,
                  const ImportOptions& options = {}) {
  const double start = processorSeconds();
  const Error error = importError(path, options);
  const std::string message = error.what();
  CAPTURE(message);
  CHECK(error.cause() == ErrorCause::limit);
  CHECK(contains(message, path.filename().string()));
  CHECK(contains(message, why));
  CHECK(message.find('\n') == std::string::npos);
  CHECK(processorSeconds() - start < 60.0);
}

// Nodes that hold two instances of the one before, so many deep.
std::string doublingCollada(int depth) {
  std::string nodes = R"(<node id="n0"><instance_geometry url="#g"/></node>)";
  for (int i = 1; i < depth; ++i)
    nodes += fmt::format(
        R"(<node id="n{}"><instance_node url="#n{}"/><instance_node url="#n{}"/></node>)", i, i - 1,
        i - 1);
  return fmt::format(
      R"(<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="pa" count="9">0 0 0 1 0 0 0 1 0</float_array>
<technique_common><accessor source="#pa" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>
<library_nodes>{}</library_nodes><library_visual_scenes><visual_scene id="s"><node id="r"><instance_node url="#n{}"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>)",
      nodes, depth - 1);
}

// One geometry, connected so many times to so many models.
std::string repeatingFbx(int vertices, int models, int connections) {
  std::string points, corners, objects, links;
  for (int i = 0; i < vertices; ++i) {
    points += fmt::format("{}{},{},{}", i == 0 ? "" : ",", i % 7, i % 5, i % 3);
    corners += fmt::format("{}{}", i == 0 ? "" : ",", i % 3 < 2 ? i : -i - 1);
  }
  for (int m = 0; m < models; ++m) {
    objects += fmt::format(" Model: {}, \"Model::m\", \"Mesh\" {{ }}\n", 1 + m);
    links += fmt::format(" C: \"OO\",{},0\n", 1 + m);
    for (int k = 0; k < connections; ++k)
      links += fmt::format(" C: \"OO\",9999,{}\n", 1 + m);
  }
  return fmt::format(
      "; FBX 7.4.0 project file\nFBXHeaderExtension: {{\n FBXVersion: 7400\n}}\n"
      "Objects: {{\n Geometry: 9999, \"Geometry::g\", \"Mesh\" {{\n"
      "  Vertices: *{} {{ a: {} }}\n  PolygonVertexIndex: *{} {{ a: {} }}\n }}\n{}}}\n"
      "Connections: {{\n{}}}\n",
      3 * vertices, points, vertices, corners, objects, links);
}

} // namespace

TEST_CASE("budget: what is taken adds up, and nothing overflows") {
  ImportBudget budget("a.x", 1000);
  CHECK(budget.limit() == (std::uint64_t{64} << 20) + 40000);
  budget.take(1000, 1000, "things");
  CHECK(budget.left() == budget.limit() - 1000000);
  CHECK_THROWS_AS(budget.take(~std::uint64_t{0}, ~std::uint64_t{0}, "things"), Error);
  CHECK_THROWS_AS(budget.take(budget.left() + 1, 1, "things"), Error);
  budget.take(budget.left(), 1, "things");
  CHECK_THROWS_AS(budget.take(1, 1, "things"), Error);
  budget.grow(1);
  budget.take(40, 1, "things");
}

TEST_CASE("budget: processor time grows with all bytes of a model") {
  const TempFolder folder;
  ImportOptions options;
  options.decodeTextures = false;
  const auto share = [&](const std::filesystem::path& path) {
    return limitsToRead(path, options).processorShare;
  };
  const auto one = folder.write("a.glb", std::string(2'000'000, '0'));
  CHECK(share(one) == doctest::Approx(0.5));
  CHECK(share(folder.write("small.glb", std::string(10'000, '0'))) == doctest::Approx(0.05));
  const auto small = folder.write("b.gltf", R"({"buffers": [{"uri": "a.glb"}]})");
  CHECK(share(small) == doctest::Approx(0.5)); // what it names is beside it
  CHECK(share(folder.write("large.glb", std::string(8'000'000, '0'))) == doctest::Approx(1.5));
  const TempFolder alone;
  const auto least = alone.write("b.glb", "{}");
  CHECK(share(least) == doctest::Approx(1.0 / 30.0).epsilon(1e-3));
  options.textureFolders = {folder.path}; // enough for the 10 s of longer files
  CHECK(share(least) == doctest::Approx(1.0 / 30.0).epsilon(1e-3));
  options.decodeTextures = true;
  CHECK(share(least) > 1.0 / 6.0);
}

TEST_CASE("budget: glTF elements without bytes, sparse or not") {
  const TempFolder folder;
  GltfFile file;
  file.json["accessors"][0] = {{"componentType", 5126}, {"count", 40'000'000}, {"type", "VEC3"}};
  checkLimited(folder.write("none.gltf", file.text()), "40000000 elements without bytes");
  GltfFile sparse;
  const std::size_t where = sparse.addView(std::string("\0\1\2\3", 4));
  sparse.json["accessors"][0]["count"] = 49'999'998;
  sparse.json["accessors"][0].erase("bufferView");
  sparse.json["accessors"][0]["sparse"] = {
      {"count", 4},
      {"indices", {{"bufferView", where}, {"componentType", 5121}}},
      {"values", {{"bufferView", 0}}}};
  checkLimited(folder.write("sparse.gltf", sparse.text()), "elements without bytes");
  sparse.json["accessors"][0]["count"] = 1000; // what files use
  CHECK(importModel(folder.write("few.gltf", sparse.text())).meshes.size() == 1);
}

TEST_CASE(
    "budget: one glTF mesh by many nodes, one accessor by many primitives, targets and keys") {
  const TempFolder folder;
  GltfFile file;
  for (int i = 1; i < 400'000; ++i)
    file.json["nodes"].push_back({{"mesh", 0}});
  checkLimited(folder.write("nodes.gltf", file.text()), "the limit is 262144");

  GltfFile shared;
  shared.json["accessors"][0] = {{"componentType", 5126}, {"count", 20000}, {"type", "VEC3"}};
  shared.json["scenes"][0]["nodes"] = Json::array();
  shared.json["nodes"] = Json::array();
  for (int i = 0; i < 60; ++i) {
    shared.json["nodes"].push_back({{"mesh", 0}});
    shared.json["scenes"][0]["nodes"].push_back(i);
  }
  checkLimited(folder.write("shared.gltf", shared.text()), "repeated vertices");

  GltfFile keys;
  const std::size_t zeros = keys.json["accessors"].size();
  keys.json["accessors"].push_back(
      {{"componentType", 5126}, {"count", 1'000'000}, {"type", "SCALAR"}});
  keys.json["accessors"].push_back(
      {{"componentType", 5126}, {"count", 1'000'000}, {"type", "VEC3"}});
  keys.json["animations"] = Json::array();
  for (int i = 0; i < 20; ++i)
    keys.json["animations"].push_back(
        {{"samplers", {{{"input", zeros}, {"output", zeros + 1}}}},
         {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "translation"}}}}}}});
  checkLimited(folder.write("keys.gltf", keys.text()), "elements read again take too much memory");
}

TEST_CASE("budget: many listed and deep glTF nodes are read in proportion") {
  const TempFolder folder;
  GltfFile file;
  for (int i = 1; i < 100'000; ++i) { // one chain, each listed as a root of the scene
    file.json["nodes"][static_cast<std::size_t>(i - 1)]["children"] = {i};
    file.json["nodes"].push_back(Json::object());
    file.json["scenes"][0]["nodes"].push_back(i);
  }
  const double start = processorSeconds();
  CHECK(importModel(folder.write("deep.gltf", file.text())).hierarchy.nodes.size() == 100'000);
  CHECK(processorSeconds() - start < 60.0);
}

TEST_CASE("budget: Collada nodes that are instances of instances") {
  const TempFolder folder;
  checkLimited(folder.write("doubling.dae", doublingCollada(40)), "repeated nodes and meshes");
  std::string itself = doublingCollada(3);
  const std::string first = R"(<instance_geometry url="#g"/>)";
  itself.insert(itself.find(first), R"(<instance_node url="#n2"/>)");
  checkLimited(folder.write("itself.dae", itself), "repeated nodes and meshes");
  CHECK(importModel(folder.write("few.dae", doublingCollada(5))).meshes.size() == 16);
}

TEST_CASE("budget: FBX geometry connected many times, and arrays of zeros") {
  const TempFolder folder;
  checkLimited(folder.write("many.fbx", repeatingFbx(3000, 100, 40)), "repeated geometries");
  CHECK(importModel(folder.write("few.fbx", repeatingFbx(30, 3, 1))).meshes.size() == 3);
}

TEST_CASE("budget: .x frames shown by reference, with meshes") {
  const TempFolder folder;
  std::string text = "xof 0303txt 0032\nFrame A {\n Mesh m { 300;";
  for (int i = 0; i < 300; ++i)
    text += fmt::format("{};{};{};{}", i % 7, i % 5, i % 3, i < 299 ? "," : ";");
  text += "100;";
  for (int i = 0; i < 100; ++i)
    text += fmt::format("3;{},{},{};{}", 3 * i, 3 * i + 1, 3 * i + 2, i < 99 ? "," : ";");
  text += "}\n}\n";
  for (int i = 0; i < 20; ++i)
    text += fmt::format("Frame B{} {{ {{ {} }} {{ {} }} }}\n", i,
                        i == 0 ? "A" : fmt::format("B{}", i - 1),
                        i == 0 ? "A" : fmt::format("B{}", i - 1));
  const Error error = importError(folder.write("frames.x", text));
  CHECK(contains(error.what(), "repeat"));
}

TEST_CASE("budget: numbers of meshes and keys have a limit of their own") {
  const TempFolder folder;
  GltfFile file;
  file.json["nodes"].push_back({{"mesh", 0}});
  file.json["scenes"][0]["nodes"].push_back(1);
  ImportOptions options;
  options.maxMeshes = 1;
  const auto path = folder.write("two.gltf", file.text());
  checkLimited(path, "has 2 meshes shown by nodes, the limit is 1", options);
  options.maxMeshes = 2;
  CHECK(importModel(path, options).meshes.size() == 2);
}

TEST_CASE("budget: positions of 1e38 and keys of infinity end as finite numbers") {
  const TempFolder folder;
  GltfFile file;
  file.primitive()["attributes"]["POSITION"] = file.add<float>(
      {0, 0, 0, 1, 0, 0, 1, 2, 0, 0, 2, 0, 1e38f, 1e38f, 1e38f, NAN, 0, 0}, 5126, "VEC3");
  file.json["nodes"][0]["translation"] = {1e30, 0, 0};
  const Model model = importModel(folder.write("far.gltf", file.text()));
  for (const Mesh& mesh : model.meshes)
    for (const vec3& p : mesh.positions)
      CHECK((std::abs(p.x) < 1e16f && std::abs(p.y) < 1e16f && std::abs(p.z) < 1e16f));
}

TEST_CASE("budget: an image is looked at without decoding it") {
  const ImageLimits limits{100, 40000};
  CHECK_THROWS_AS(checkImage("no image", limits), std::runtime_error);
  CHECK_THROWS_AS(checkImage("DDS ", limits), std::runtime_error);
  std::string tga(18, '\0'); // a header and no pixels
  tga[2] = 2;
  tga[12] = 50;
  tga[14] = 20;
  tga[16] = 32;
  CHECK_NOTHROW(checkImage(tga, limits));
  tga[12] = 101;
  CHECK_THROWS_AS(checkImage(tga, limits), std::runtime_error);
  // A PNG of 4 x 4 pixels with 100 KB of compressed ones.
  std::string png("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\4\0\0\0\4\x8\6\0\0\0\0\0\0\0", 33);
  CHECK_NOTHROW(checkImage(png, limits));
  png += std::string("\0\1\x86\xa0IDAT", 8) + std::string(100'000, '\0') + std::string(4, '\0');
  CHECK_THROWS_AS(checkImage(png, limits), std::runtime_error);
}

TEST_CASE("budget: a large file beside a model counts only where the model may consist of it") {
  const TempFolder folder;
  ImportOptions options;
  options.decodeTextures = false;
  folder.write("large.bin", std::string(3'000'000, '0'));
  const auto memory = [&](const char* name, const char* text) {
    return limitsToRead(folder.write(name, text), options).memoryBytes;
  };
  constexpr std::uint64_t kNothingBeside = ImportBudget::kFreeBytes + std::uint64_t{40} * 100;
  for (const char* name : {"a.smd", "b.obj", "c.ms3d", "d.dae", "e.b3d", "f.gltf"}) {
    CAPTURE(name);
    CHECK(memory(name, "{}") < kNothingBeside);
  }
  CHECK(memory("g.gltf", R"({"buffers": [{"uri": "large.bin"}]})") > 40 * 3'000'000);
  folder.write("h.mtl", std::string(3'000'000, '0'));
  CHECK(memory("i.obj", "mtllib h.mtl") > 40 * 3'000'000);
  CHECK(memory("h.obj", "v 0 0 0") > 40 * 3'000'000); // which has its name
}
