// What the glTF reader reads, refuses and reports; scripts/tests/gltf_test.py compares posed
// vertices with a second reading by the specification.
#include "import/gltf/gltf_test_file.h"
#include "import/import_test_tools.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <random>

using namespace sinew;
using namespace sinew::test;
using FileJson = GltfFile::Json;

namespace {

Model readModel(GltfFile file, const std::string& name = "m.gltf") {
  const TempFolder folder;
  return importModel(folder.write(name, name.ends_with(".gltf") ? file.text() : file.glb()));
}

std::string catchMessage(GltfFile file) {
  const TempFolder folder;
  const Error error = importError(folder.write("m.gltf", file.text()));
  CHECK(error.cause() == ErrorCause::input);
  CHECK_FALSE(contains(error.what(), "\n"));
  return error.what();
}

} // namespace

TEST_CASE("glTF: text, binary and VRM are one format") {
  for (const char* name : {"m.gltf", "m.glb", "m.vrm"}) {
    CAPTURE(name);
    const Model model = readModel({}, name);
    REQUIRE(model.meshes.size() == 1);
    CHECK(model.meshes[0].name == "square");
    CHECK(triangleCount(model) == 2);
    CHECK(model.metersPerUnit == 1.0f);
    CHECK(model.warnings.empty());
  }
}

TEST_CASE("glTF 1.0 is refused with a remedy") {
  GltfFile file;
  file.json["asset"]["version"] = "1.0";
  CHECK(contains(catchMessage(file), "glTF 1.0, and only glTF 2.0 is read; convert it"));
  file.json.erase("asset");
  file.json["meshes"] = FileJson::object({{"a", {}}});
  CHECK(contains(catchMessage(file), "glTF 1.0"));
  const TempFolder folder;
  std::string binary = GltfFile().glb();
  binary[4] = 1;
  CHECK(contains(importError(folder.write("m.glb", binary)).what(), "binary glTF 1.0"));
}

TEST_CASE("glTF: a required extension that is unknown is an error, an optional one a warning") {
  GltfFile file;
  file.json["extensionsUsed"] = {"KHR_mesh_quantization", "EXT_new", "MSFT_lod", "VRM"};
  const Model model = readModel(file);
  REQUIRE(model.warnings.size() == 1);
  CHECK(model.warnings[0] == "extensions not used: EXT_new, MSFT_lod");
  file.json["extensionsRequired"] = {"KHR_mesh_quantization", "EXT_new"};
  CHECK(contains(catchMessage(file), "it requires EXT_new, which sinew does not support"));
}

TEST_CASE("glTF: what the file holds and sinew does not use is listed") {
  GltfFile file;
  file.json["scenes"].push_back({{"nodes", {1}}});
  file.json["nodes"].push_back({{"name", "outside"}});
  const std::size_t offsets = file.add<float>(std::vector<float>(12, 0.0f), 5126, "VEC3");
  file.primitive()["targets"] = {{{"TANGENT", offsets}, {"COLOR_0", offsets}}};
  file.json["animations"] = {
      {{"samplers", {{{"input", 0}, {"output", 0}}}},
       {"channels", {{{"sampler", 0}, {"target", {{"node", 1}, {"path", "weights"}}}}}}}};
  const Model model = readModel(file);
  CHECK(model.clips.empty());
  for (const char* line :
       {"not used: 1 morph target's set of tangents, 1 morph target's set of colours",
        "1 of 2 scenes is not read", "1 node is not read: outside the scene",
        "1 animation channel of morph weights", "1 animation moves no node of the scene"}) {
    CAPTURE(line);
    CHECK(anyContains(model.warnings, line));
  }
}

TEST_CASE("glTF: morph targets with names, rest weights and weight keys") {
  GltfFile file;
  std::vector<float> first(12, 0.0f);
  first[3] = 0.5f; // x of vertex 1
  std::vector<float> second(12, 0.0f);
  second[10] = -1.0f; // y of vertex 3
  second[0] = NAN;
  file.primitive()["targets"] = {{{"POSITION", file.add(first, 5126, "VEC3")}},
                                 {{"POSITION", file.add(second, 5126, "VEC3")}}};
  file.json["meshes"][0]["weights"] = {0.25, 0.75};
  file.json["meshes"][0]["extras"]["targetNames"] = {"wide", 7};
  const std::size_t times = file.add<float>({0.0f, 2.0f}, 5126, "SCALAR");
  // In-tangents, weights, out-tangents of both targets.
  const std::size_t keys = file.add<float>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 5126, "SCALAR");
  file.json["animations"] = {
      {{"samplers", {{{"input", times}, {"output", keys}, {"interpolation", "CUBICSPLINE"}}}},
       {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "weights"}}}}}}}};
  const Model model = readModel(file);
  REQUIRE(model.morphTargets.size() == 2);
  CHECK(model.morphTargets[0].name == "wide");
  CHECK(model.morphTargets[0].weight == 0.25f);
  CHECK(model.morphTargets[1].name == "target 1");
  REQUIRE(model.meshes[0].morphs.size() == 2);
  const Mesh& mesh = model.meshes[0];
  REQUIRE(mesh.morphs[0].vertices.size() == 1);
  CHECK(mesh.positions[mesh.morphs[0].vertices[0]] == vec3(1, 0, 0));
  CHECK(mesh.morphs[0].positions[0] == vec3(0.5f, 0, 0));
  CHECK(mesh.morphs[0].normals.empty());
  REQUIRE(mesh.morphs[1].vertices.size() == 1);
  CHECK(mesh.positions[mesh.morphs[1].vertices[0]] == vec3(0, 2, 0));
  CHECK(anyContains(model.repairs, "1 offset of a morph target is not finite"));
  REQUIRE(model.clips.size() == 1);
  CHECK(model.clips[0].seconds == 2.0f);
  REQUIRE(model.clips[0].morphs.size() == 2);
  const Track<float>& track = model.clips[0].morphs[1].weight;
  CHECK(track.interpolation == Interpolation::cubic);
  CHECK(track.values == std::vector<float>{4, 10});
  REQUIRE(track.tangents.size() == 2);
  CHECK(track.tangents[0] == std::array<float, 2>{2, 6});
  CHECK(track.tangents[1] == std::array<float, 2>{8, 12});

  file.json["meshes"][0]["extras"] = "none"; // whatever an application keeps there
  CHECK(readModel(file).morphTargets[0].name == "target 0");
  file.json["animations"][0]["samplers"][0]["interpolation"] = "LINEAR";
  CHECK(contains(catchMessage(file), "an animation sampler has 12 numbers for 2 keys of 2"));
  file.primitive()["targets"][0]["POSITION"] = times;
  CHECK(contains(catchMessage(file), "has 1 components where 3 belong"));
}

TEST_CASE("glTF: every node that shows a mesh has its own weights, primitives share them") {
  GltfFile file;
  std::vector<float> offsets(12, 1.0f);
  file.primitive()["targets"] = {{{"POSITION", file.add(offsets, 5126, "VEC3")}}};
  file.json["meshes"][0]["weights"] = {0.25};
  FileJson::array_t primitives{file.primitive(), file.primitive()};
  file.json["meshes"][0]["primitives"] = primitives;
  file.json["nodes"].push_back({{"mesh", 0}, {"weights", {-0.5}}});
  file.json["scenes"][0]["nodes"] = {0, 1};
  const Model model = readModel(file);
  REQUIRE(model.morphTargets.size() == 2);
  CHECK(model.morphTargets[0].weight == 0.25f);
  CHECK(model.morphTargets[1].weight == -0.5f);
  REQUIRE(model.meshes.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    REQUIRE(model.meshes[i].morphs.size() == 1);
    CHECK(model.meshes[i].morphs[0].target == i / 2);
    CHECK(model.meshes[i].morphs[0].vertices.size() == model.meshes[i].positions.size());
  }
}

TEST_CASE("glTF: files that contradict themselves give one line that says where") {
  struct Broken {
    const char* pointer;
    FileJson value;
    const char* says;
  };
  for (const Broken& broken : {
           Broken{"/accessors/0/count", 5, "more than its 48 bytes hold"},
           Broken{"/accessors/0/count", 1'000'000, "more than its 48 bytes hold"},
           Broken{"/accessors/0/byteOffset", 18446744073709551615u, "more than its 48 bytes hold"},
           Broken{"/accessors/0/count", -1, "'count' is -1, not a whole number from 0"},
           Broken{"/accessors/0/componentType", 5130, "component type 5130 is unknown"},
           Broken{"/accessors/0/type", "VEC2", "has 2 components where 3 belong"},
           Broken{"/accessors/1/componentType", 5122, "should hold unsigned integers"},
           Broken{"/accessors/0/bufferView", 9, "bufferViews[9] does not exist (there are 2)"},
           Broken{"/bufferViews/0/byteLength", 4000, "bytes 0 to 4000 of buffers[0] are used"},
           Broken{"/bufferViews/0/byteStride", 4, "a stride of 4 bytes for elements of 12"},
           Broken{"/bufferViews/0/buffer", 3, "buffers[3] does not exist (there are 1)"},
           Broken{"/meshes/0/primitives/0/mode", 9, "mode 9"},
           Broken{"/meshes/0/primitives", "none", "'primitives' is \"none\", not an array"},
           Broken{"/nodes/0/children", {0}, "more than one parent"},
           Broken{"/nodes/0/mesh", 1, "meshes[1] does not exist"},
           Broken{"/nodes/0/scale", {1, 2}, "'scale' has 2 numbers instead of 3"},
           Broken{"/nodes/0/skin", 0, "skins[0] does not exist (there are 0)"},
           Broken{"/scene", 4, "scenes[4] does not exist"},
       }) {
    GltfFile file;
    file.json[FileJson::json_pointer(broken.pointer)] = broken.value;
    CAPTURE(broken.pointer);
    const std::string message = catchMessage(file);
    CAPTURE(message);
    CHECK(contains(message, broken.says));
  }
  GltfFile loop;
  loop.json["nodes"] = FileJson::parse(R"([{"mesh": 0}, {"children": [2]}, {"children": [1]}])");
  CHECK(contains(catchMessage(loop), "its own ancestor"));
  GltfFile missing;
  missing.json["buffers"] = {{{"byteLength", 60}}};
  CHECK(contains(catchMessage(missing), "buffers[0] has no bytes"));
  missing.json["buffers"] = {{{"byteLength", 60}, {"uri", "gone%20away.bin"}}};
  CHECK(contains(catchMessage(missing), "'gone away.bin', which it needs, was not found"));
  missing.json["buffers"] = {{{"byteLength", 60}, {"uri", "data:;base64,AAAA"}}};
  CHECK(contains(catchMessage(missing), "buffers[0] should have 60 bytes but has 3"));
}

TEST_CASE("glTF: changed bytes of a file give a model or one line, never a crash") {
  GltfFile file;
  file.primitive()["attributes"]["JOINTS_0"] =
      file.add<std::uint8_t>(std::vector<std::uint8_t>(16, 0), 5121, "VEC4");
  file.primitive()["attributes"]["WEIGHTS_0"] =
      file.add<float>(std::vector<float>(16, 0.25f), 5126, "VEC4");
  file.json["accessors"][0]["sparse"] = {{"count", 1},
                                         {"indices", {{"bufferView", 1}, {"componentType", 5123}}},
                                         {"values", {{"bufferView", 0}}}};
  file.json["skins"] = {{{"joints", {0}}}};
  file.json["nodes"][0]["skin"] = 0;
  const std::size_t times = file.add<float>({0, 1}, 5126, "SCALAR");
  const std::size_t values = file.add<float>({0, 0, 0, 1, 0, 0, 0, 1}, 5126, "VEC4");
  file.json["animations"] = {
      {{"samplers", {{{"input", times}, {"output", values}}}},
       {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "rotation"}}}}}}}};
  const std::string whole = file.glb();
  const TempFolder folder;
  CHECK(importModel(folder.write("whole.glb", whole)).clips.size() == 1);
  std::mt19937 random(7);
  ImportOptions options;
  options.maxVertices = 100'000;
  std::size_t read = 0;
  for (int i = 0; i < 600; ++i) {
    std::string bytes = whole;
    for (unsigned change = 0; change <= random() % 3; ++change) {
      const std::size_t at = 12 + random() % (bytes.size() - 12);
      // Digits become other digits: most other changes are only bad JSON.
      const bool digit = bytes[at] >= '0' && bytes[at] <= '9';
      bytes[at] = static_cast<char>(digit ? '0' + random() % 10 : random() % 256);
    }
    try {
      importModel(folder.write("changed.glb", bytes), options);
      ++read;
    } catch (const Error& error) {
      const std::string message = error.what();
      CAPTURE(message);
      CHECK(message.find('\n') == std::string::npos);
      CHECK(contains(message, "changed.glb: "));
    }
  }
  CHECK(read > 20);
  CHECK(read < 580);
}

TEST_CASE("glTF: names are for people; nodes, joints and channels are known by index") {
  GltfFile file;
  file.json["nodes"] = FileJson::parse(R"([
    {"name": "Head", "children": [1, 2]},
    {"name": "Head", "translation": [0, 1, 0]},
    {"name": "Head", "mesh": 0}, {}])");
  file.json["scenes"][0]["nodes"] = {0, 3};
  const std::size_t times = file.add<float>({0}, 5126, "SCALAR");
  const std::size_t values = file.add<float>({0, 5, 0}, 5126, "VEC3");
  file.json["animations"] = {
      {{"samplers", {{{"input", times}, {"output", values}}}},
       {"channels", {{{"sampler", 0}, {"target", {{"node", 2}, {"path", "translation"}}}}}}}};
  const Model model = readModel(file);
  REQUIRE(model.hierarchy.nodes.size() == 5);
  CHECK(model.hierarchy.nodes[1].name == "Head");
  CHECK(model.hierarchy.nodes[2].name == "Head (2)");
  CHECK(model.hierarchy.nodes[3].name == "Head (3)");
  CHECK(model.clips.at(0).channels.at(0).node == model.meshes.at(0).node);
  CHECK(model.meshes[0].node == 3);
}

TEST_CASE("glTF: names that are not UTF-8, and a chunk filled with zeros") {
  const TempFolder folder;
  std::string text = GltfFile().text();
  text.replace(text.find("square"), 6,
               "Stra\xdf"
               "e");
  CHECK(importModel(folder.write("m.gltf", text + std::string(3, '\0'))).meshes.at(0).name ==
        "Stra?e");
}

TEST_CASE("glTF: a skin names joints that no scene shows, which it brings with it") {
  GltfFile file;
  file.primitive()["attributes"]["JOINTS_0"] =
      file.add<std::uint8_t>(std::vector<std::uint8_t>(16, 0), 5121, "VEC4");
  file.primitive()["attributes"]["WEIGHTS_0"] =
      file.add<float>({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 5126, "VEC4");
  // The first skin's joint brings a mesh of another skin, whose joint is elsewhere again.
  file.json["nodes"] = FileJson::parse(R"([{"mesh": 0, "skin": 0}, {"children": [2]},
    {"mesh": 0, "skin": 1}, {"translation": [4, 0, 0]}])");
  file.json["skins"] = {{{"joints", {1}}}, {{"joints", {3}}}};
  const Model model = readModel(file);
  CHECK(model.hierarchy.nodes.size() == 5);
  CHECK(model.meshes.size() == 2);
  file.json["skins"][1]["joints"] = {7};
  CHECK(contains(catchMessage(file), "nodes[7] does not exist"));
}

TEST_CASE("glTF: limits") {
  const TempFolder folder;
  ImportOptions options;
  options.maxVertices = 3;
  CHECK(importError(folder.write("m.gltf", GltfFile().text()), options).cause() ==
        ErrorCause::limit);
}

TEST_CASE("glTF: texture coordinates of the set and with the transform that the material says") {
  GltfFile file;
  file.primitive()["attributes"]["TEXCOORD_0"] =
      file.add<float>(std::vector<float>(8, 7.0f), 5126, "VEC2");
  file.primitive()["attributes"]["TEXCOORD_1"] =
      file.add<float>({0, 0, 1, 0, 1, 1, 0, 1}, 5126, "VEC2");
  file.primitive()["material"] = 0;
  file.json["materials"] = FileJson::parse(R"([{"alphaMode": "BLEND", "doubleSided": true,
    "extensions": {"KHR_materials_unlit": {}},
    "pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.25, 1, 0.75],
      "baseColorTexture": {"index": 0, "texCoord": 0, "extensions": {"KHR_texture_transform":
        {"texCoord": 1, "offset": [0.5, 0.25], "rotation": 1.5707963, "scale": [2, 4]}}}}}])");
  file.json["textures"] = {{{"source", 0}}};
  const std::string tga("\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\x18\0\x10\x20\x30", 21);
  file.json["images"] = {{{"bufferView", file.addView(tga)}, {"mimeType", "image/png"}}};
  const Model model = readModel(file);
  const Mesh& mesh = model.meshes.at(0);
  const Material& material = model.materials.at(mesh.material);
  CHECK(material.baseColor == vec4(0.5f, 0.25f, 1, 0.75f));
  CHECK(material.alphaMode == AlphaMode::blend);
  CHECK(material.doubleSided);
  CHECK(material.specular == 0.0f);
  REQUIRE(model.textures.size() == 1);
  CHECK(model.textures[0].source == "embedded");
  CHECK(model.textures[0].image.rgba.at(0) == 0x30);
  // (1, 0) scaled to (2, 0) and turned counter-clockwise, v down: (0, -2).
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const vec2 uv(mesh.positions[v].x, mesh.positions[v].y / 2);
    CHECK(glm::length(mesh.texcoords[v] - vec2(0.5f + 4 * uv.y, 0.25f - 2 * uv.x)) < 1e-5f);
  }
}

TEST_CASE("glTF: colours as normalised integers, of three components too") {
  GltfFile file;
  const std::size_t colors =
      file.add<std::uint8_t>({255, 0, 51, 0, 255, 0, 0, 0, 255, 255, 255, 255}, 5121, "VEC3");
  file.json["accessors"][colors]["normalized"] = true;
  file.primitive()["attributes"]["COLOR_0"] = colors;
  const Model model = readModel(file);
  const Mesh& mesh = model.meshes.at(0);
  REQUIRE(mesh.colors.size() == 4);
  for (std::size_t v = 0; v < 4; ++v)
    if (mesh.positions[v] == vec3(0.0f)) CHECK(mesh.colors[v] == vec4(1, 0, 0.2f, 1));
}

TEST_CASE("glTF: a mirrored mesh turns its outside outward") {
  GltfFile file;
  file.primitive()["attributes"]["NORMAL"] =
      file.add<float>({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, 5126, "VEC3");
  for (const float scale : {1.0f, -1.0f}) {
    file.json["nodes"][0]["scale"] = {scale, 1, 1};
    const Model model = readModel(file);
    CHECK(model.repairs.empty());
    const SkinnedMesh posed = atRest(model);
    for (const auto& [a, b, c] : model.meshes.at(0).triangles)
      CHECK(glm::cross(posed.positions[b] - posed.positions[a],
                       posed.positions[c] - posed.positions[a])
                .z > 0.0f);
  }
}

TEST_CASE("glTF: a material is flat where no mesh that it covers has normals") {
  GltfFile file;
  CHECK(readModel(file).materials.at(0).flat);
  file.json["materials"] = FileJson::array({{{"name", "m"}}});
  file.primitive()["material"] = 0;
  FileJson smooth = file.primitive();
  smooth["attributes"]["NORMAL"] =
      file.add<float>({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, 5126, "VEC3");
  CHECK(readModel(file).materials.at(0).flat);
  file.json["meshes"][0]["primitives"].push_back(smooth);
  CHECK_FALSE(readModel(file).materials.at(0).flat);
}

TEST_CASE("glTF: steps and cubic splines are kept as such") {
  GltfFile file;
  const std::size_t times = file.add<float>({0, 2}, 5126, "SCALAR");
  const std::size_t moves = file.add<float>({0, 0, 0, 1, 0, 0}, 5126, "VEC3");
  const std::size_t grows = file.add<float>(std::vector<float>(18, 1.0f), 5126, "VEC3");
  file.json["animations"] =
      FileJson::parse(R"([{"name": "a", "samplers": [{"interpolation": "STEP"},
    {"interpolation": "CUBICSPLINE"}], "channels": [
      {"sampler": 0, "target": {"node": 0, "path": "translation"}},
      {"sampler": 1, "target": {"node": 0, "path": "scale"}}]}])");
  FileJson& samplers = file.json["animations"][0]["samplers"];
  samplers[0]["input"] = samplers[1]["input"] = times;
  samplers[0]["output"] = moves;
  samplers[1]["output"] = grows;
  const Model model = readModel(file);
  const Channel& channel = model.clips.at(0).channels.at(0);
  CHECK(channel.translation.interpolation == Interpolation::step);
  CHECK(channel.scale.interpolation == Interpolation::cubic);
  CHECK(channel.scale.tangents.size() == 2);
  CHECK(posedAt(model, model.clips[0], 1.999f).positions[0].x < 0.5f);
  samplers[1]["output"] = moves;
  CHECK(contains(catchMessage(file), "6 numbers for 2 keys of 9"));
}

TEST_CASE("glTF: a skin without inverse bind matrices binds at the origin of the scene") {
  GltfFile file;
  file.primitive()["attributes"]["JOINTS_0"] =
      file.add<std::uint8_t>(std::vector<std::uint8_t>(16, 0), 5121, "VEC4");
  file.primitive()["attributes"]["WEIGHTS_0"] =
      file.add<float>({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 5126, "VEC4");
  file.json["skins"] = {{{"joints", {1}}}};
  file.json["nodes"][0]["skin"] = 0;
  file.json["nodes"].push_back({{"translation", {0, 0, 3}}});
  file.json["scenes"][0]["nodes"] = {0, 1};
  const Model model = readModel(file);
  REQUIRE(model.meshes.at(0).skin);
  CHECK(model.repairs.size() == 1); // the missing normals
  for (const vec3& p : atRest(model).positions)
    CHECK(p.z == doctest::Approx(3.0f));
}

TEST_CASE("glTF: the bind pose stands as the majority of joints do at rest, not as the first, a "
          "control") {
  GltfFile file;
  file.primitive()["attributes"]["JOINTS_0"] =
      file.add<std::uint8_t>({0, 1, 2, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 1, 0, 0}, 5121, "VEC4");
  file.primitive()["attributes"]["WEIGHTS_0"] =
      file.add<float>({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 5126, "VEC4");
  file.json["skins"] = {{{"joints", {1, 2, 3}}}};
  file.json["nodes"][0]["skin"] = 0;
  const float half = std::sqrt(0.5f);
  file.json["nodes"].push_back({{"rotation", {half, 0, 0, half}}});
  for (const float angle : {0.1f, 0.2f}) // no two joints move the skin alike
    file.json["nodes"].push_back({{"rotation", {0, 0, std::sin(angle / 2), std::cos(angle / 2)}}});
  file.json["scenes"][0]["nodes"] = {0, 1, 2, 3};
  const Model model = readModel(file);
  GltfFile still; // the same mesh without a skin
  const Model expected = readModel(still);
  const Mesh& mesh = model.meshes.at(0);
  REQUIRE(mesh.positions.size() == expected.meshes.at(0).positions.size());
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    CHECK(glm::distance(mesh.positions[v], expected.meshes.at(0).positions[v]) < 1e-6f);
}

TEST_CASE("glTF: a normal map is read with its tangents, unless its coordinates are its own") {
  GltfFile file;
  file.primitive()["attributes"]["TEXCOORD_0"] =
      file.add<float>({0, 0, 1, 0, 1, 1, 0, 1}, 5126, "VEC2");
  file.primitive()["attributes"]["NORMAL"] =
      file.add<float>({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, 5126, "VEC3");
  std::vector<float> tangents;
  for (int i = 0; i < 4; ++i)
    tangents.insert(tangents.end(), {0, 1, 0, -1});
  file.primitive()["attributes"]["TANGENT"] = file.add<float>(tangents, 5126, "VEC4");
  file.primitive()["material"] = 0;
  file.json["materials"] = FileJson::parse(
      R"([{"alphaMode": "MASK", "alphaCutoff": 0.25, "normalTexture": {"index": 0, "scale": 0.5},
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}])");
  file.json["textures"] = {{{"source", 0}}};
  const std::string tga("\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\x18\0\x10\x20\x30", 21);
  file.json["images"] = {{{"bufferView", file.addView(tga)}, {"mimeType", "image/png"}}};
  const Model model = readModel(file);
  const Mesh& mesh = model.meshes.at(0);
  const Material& material = model.materials.at(mesh.material);
  REQUIRE(material.normalTexture);
  CHECK(material.normalScale == 0.5f);
  CHECK(material.alphaMode == AlphaMode::mask);
  CHECK(material.alphaCutoff == 0.25f);
  REQUIRE(mesh.tangents.size() == mesh.positions.size());
  for (const vec4& tangent : mesh.tangents)
    CHECK(tangent == vec4(0, 1, 0, -1));
  CHECK(!test::anyContains(model.warnings, "tangents"));
  CHECK(!test::anyContains(model.warnings, "normal map"));

  file.json["materials"][0]["normalTexture"]["texCoord"] = 1;
  const Model other = readModel(file);
  CHECK(!other.materials.at(other.meshes.at(0).material).normalTexture);
  CHECK(other.meshes.at(0).tangents.empty());
  CHECK(other.materials[0].texturesBySecondSet.size() == 1);
  CHECK(test::anyContains(other.warnings, "1 set of tangents without a normal map"));

  file.json["materials"][0]["occlusionTexture"] = {{"index", 0}, {"texCoord", 2}};
  const Model third = readModel(file);
  CHECK(third.materials.at(0).texturesBySecondSet.size() == 1);
  CHECK(
      test::anyContains(third.warnings, "1 occlusion texture with texture coordinates of its own"));
}
