#include "export/glb_compress.h"
#include "export/gltf_patch.h"
#include "export/gltf_source.h"
#include "import/gltf/gltf_test_file.h"
#include "import/import_test_tools.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

using namespace sinew;
using namespace sinew::test;

namespace {

// A square on two joints, shown twice, with what sinew does not read.
GltfFile skinnedFile() {
  GltfFile file;
  GltfFile::Json& json = file.json;
  file.primitive()["attributes"]["JOINTS_0"] =
      file.add<std::uint8_t>({0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 5121, "VEC4");
  file.primitive()["attributes"]["WEIGHTS_0"] =
      file.add<float>({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 5126, "VEC4");
  json["nodes"] = {{{"name", "top"}, {"children", {1, 2, 3}}},
                   {{"name", "a"}, {"extras", {{"weight", 3}}}},
                   {{"name", "square"}, {"mesh", 0}, {"skin", 0}},
                   {{"name", "still"}, {"mesh", 0}}};
  json["skins"] = {{{"joints", {0, 1}}, {"skeleton", 0}, {"name", "of two"}}};
  json["extensionsUsed"] = {"EXT_new"};
  json["extensions"] = {{"EXT_new", {{"any", {1, 2.5, "x"}}}}};
  json["materials"] = {{{"name", "coat"}, {"emissiveFactor", {0.25, 0.5, 1.0}}}};
  return file;
}

GltfJson parseGlbJson(const std::string& glb) {
  std::uint32_t length = 0;
  std::memcpy(&length, glb.data() + 12, sizeof length);
  return GltfJson::parse(glb.substr(20, length));
}

// The file of a model after a change.
GltfJson changed(const std::filesystem::path& path, const std::function<void(Model&)>& change,
                 std::vector<std::string>* notes = nullptr) {
  Model model = importModel(path);
  change(model);
  const GlbFile file = writeGlb(model);
  if (notes != nullptr) *notes = file.notes;
  return parseGlbJson(file.bytes);
}

Mesh& meshOn(Model& model, bool skinned) {
  for (Mesh& mesh : model.meshes)
    if (mesh.skin.has_value() == skinned) return mesh;
  throw std::logic_error("no such mesh");
}

Node& nodeNamed(Model& model, const std::string& name) {
  for (Node& node : model.hierarchy.nodes)
    if (node.name == name) return node;
  throw std::logic_error("no such node");
}

} // namespace

TEST_CASE("glTF in, glTF out: what has not changed is the file's own") {
  const TempFolder folder;
  const GltfFile file = skinnedFile();
  const std::string glb = file.glb();
  std::vector<std::string> notes;
  CHECK(changed(
            folder.write("s.glb", glb), [](Model&) {}, &notes) == parseGlbJson(glb));
  CHECK(notes.empty());
}

TEST_CASE("glTF in, glTF out: a joint is appended, and the weights of one node's mesh") {
  const TempFolder folder;
  const GltfFile file = skinnedFile();
  const GltfJson before = parseGlbJson(file.glb());
  std::vector<std::string> notes;
  const GltfJson after = changed(
      folder.write("s.glb", file.glb()),
      [](Model& model) {
        const auto node = static_cast<std::uint32_t>(model.hierarchy.nodes.size());
        model.hierarchy.nodes.push_back({"helper", *findNode(model.hierarchy, "a"), {}});
        model.skins[0].joints.push_back({node, mat4(1.0f)});
        for (Influence& influence : meshOn(model, true).influences.values)
          influence.joint = 2;
      },
      &notes);
  CHECK(after["nodes"][1]["children"] == GltfJson::array({4}));
  CHECK(after["nodes"][4]["name"] == "helper");
  CHECK(after["skins"][0]["joints"] == GltfJson::array({0, 1, 4}));
  CHECK(after["skins"][0]["name"] == "of two");
  CHECK_FALSE(after["skins"][0].contains("skeleton"));
  CHECK(notes.size() == 1);
  // The rigid node shows the mesh unchanged.
  CHECK(after["nodes"][3]["mesh"] == 0);
  CHECK(after["nodes"][2]["mesh"] == 1);
  CHECK(after["meshes"][0] == before["meshes"][0]);
  const GltfJson& attributes = after["meshes"][1]["primitives"][0]["attributes"];
  CHECK(attributes["POSITION"] == before["meshes"][0]["primitives"][0]["attributes"]["POSITION"]);
  CHECK(attributes["JOINTS_0"] != before["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"]);
  for (const char* key : {"extensions", "extensionsUsed", "materials", "asset"})
    CHECK(after[key] == before[key]);
  for (std::size_t i = 0; i < before["accessors"].size(); ++i)
    CHECK(after["accessors"][i] == before["accessors"][i]);
}

TEST_CASE("glTF in, glTF out: a morph target follows those of the file") {
  const TempFolder folder;
  const GltfFile file = skinnedFile();
  const GltfJson after = changed(folder.write("s.glb", file.glb()), [](Model& model) {
    model.morphTargets.push_back({"bulge", 0.5f});
    meshOn(model, true).morphs.push_back({0, {1, 2}, {vec3(1), vec3(2)}, {}});
  });
  const GltfJson& mesh = after["meshes"][after["nodes"][2]["mesh"].get<std::size_t>()];
  REQUIRE(mesh["primitives"][0]["targets"].size() == 1);
  CHECK(mesh["weights"] == GltfJson::array({0.5}));
  CHECK(mesh["extras"]["targetNames"] == GltfJson::array({"bulge"}));
  CHECK_FALSE(after["meshes"][0]["primitives"][0].contains("targets"));
}

TEST_CASE("glTF in, glTF out: what had no normals has none, moved or in a new file") {
  const TempFolder folder;
  for (const bool isNewFile : {false, true}) {
    CAPTURE(isNewFile);
    const auto path = folder.write("s.glb", GltfFile().glb());
    const GltfJson json = changed(path, [&](Model& model) {
      model.meshes.at(0).positions[0].x -= 1.0f;
      model.morphTargets.push_back({"bulge", 0.5f});
      model.meshes[0].morphs.push_back({0, {1, 2}, {vec3(1), vec3(2)}, {vec3(0.1f), vec3(0.2f)}});
      if (isNewFile) std::filesystem::remove(path);
    });
    const GltfJson& primitive = json["meshes"][0]["primitives"][0];
    CHECK_FALSE(primitive["attributes"].contains("NORMAL"));
    CHECK_FALSE(primitive["targets"][0].contains("NORMAL"));
  }
}

TEST_CASE("glTF in, glTF out: instances stay where the mesh has not changed") {
  const TempFolder folder;
  GltfFile file;
  const std::size_t places = file.add<float>({0, 0, 0, 5, 0, 0}, 5126, "VEC3");
  file.json["extensionsUsed"] = {"EXT_mesh_gpu_instancing"};
  file.json["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]["TRANSLATION"] =
      places;
  const auto path = folder.write("s.glb", file.glb());
  const GltfJson before = parseGlbJson(file.glb());
  std::vector<std::string> notes;
  CHECK(changed(
            path, [](Model&) {}, &notes) == before);
  GltfJson moved = changed(
      path, [](Model& model) { nodeNamed(model, "square").rest.translation.y = 3; }, &notes);
  CHECK(moved["nodes"][0]["translation"] == GltfJson::array({0.0, 3.0, 0.0}));
  moved["nodes"][0].erase("translation");
  CHECK(moved["nodes"] == before["nodes"]);
  CHECK(notes.empty());
  // What the extension cannot say becomes a file with a node for each instance.
  const auto now = changed(
      path, [](Model& model) { nodeNamed(model, "square instance 1").rest.translation.y = 3; },
      &notes);
  REQUIRE(notes.size() == 1);
  CHECK(contains(notes[0], "written as a new one"));
  CHECK(std::ranges::count_if(now["nodes"],
                              [](const auto& node) { return node.contains("mesh"); }) == 2);
  changed(
      path, [](Model& model) { model.meshes[1].positions[0].x = -1; }, &notes);
  REQUIRE(notes.size() == 1);
  CHECK(contains(notes[0], "EXT_mesh_gpu_instancing"));
}

TEST_CASE("glTF in, glTF out: pointers of animations stay where nothing moves otherwise") {
  const TempFolder folder;
  GltfFile file;
  GltfFile::Json& json = file.json;
  file.primitive()["targets"] = {
      {{"POSITION", file.add<float>(std::vector<float>(12, 1.0f), 5126, "VEC3")}}};
  json["nodes"].push_back({{"mesh", 0}, {"name", "other"}});
  json["scenes"][0]["nodes"] = {0, 1};
  const std::size_t times = file.add<float>({0, 1}, 5126, "SCALAR");
  const std::size_t places = file.add<float>({0, 0, 0, 0, 3, 0}, 5126, "VEC3");
  const std::size_t weights = file.add<float>({0, 1}, 5126, "SCALAR");
  const auto channel = [](std::size_t sampler, const char* pointer) {
    return GltfFile::Json{{"sampler", sampler},
                          {"target",
                           {{"path", "pointer"},
                            {"extensions", {{"KHR_animation_pointer", {{"pointer", pointer}}}}}}}};
  };
  json["animations"] = GltfFile::Json::array(
      {{{"name", "all"},
        {"samplers", GltfFile::Json::array({{{"input", times}, {"output", places}},
                                            {{"input", times}, {"output", weights}}})},
        {"channels",
         GltfFile::Json::array({channel(0, "/nodes/0/translation"), channel(1, "/meshes/0/weights"),
                                channel(1, "/materials/0/alphaCutoff")})}}});
  const auto path = folder.write("s.glb", file.glb());
  const GltfJson before = parseGlbJson(file.glb());
  const GltfJson& channels = before["animations"][0]["channels"];
  CHECK(changed(path, [](Model&) {}) == before);

  GltfJson after =
      changed(path, [](Model& model) { model.clips[0].channels[0].translation.values[1].x = 1; });
  const GltfJson& moved = after["animations"][0]["channels"];
  REQUIRE(moved.size() == 3);
  CHECK(moved[0]["target"] == channels[1]["target"]);
  CHECK(moved[1]["target"] == channels[2]["target"]);
  CHECK(moved[2]["target"] == GltfJson{{"node", 0}, {"path", "translation"}});

  // One node's weights are no longer the mesh's: both nodes have their own channel.
  after = changed(path, [](Model& model) { model.clips[0].morphs[1].weight.values[1] = 0.5f; });
  const GltfJson& weighted = after["animations"][0]["channels"];
  REQUIRE(weighted.size() == 4);
  CHECK(weighted[0] == channels[0]);
  CHECK(weighted[1]["target"] == channels[2]["target"]);
  CHECK(weighted[2]["target"] == GltfJson{{"node", 0}, {"path", "weights"}});
  CHECK(weighted[3]["target"] == GltfJson{{"node", 1}, {"path", "weights"}});

  // A node gets weights of its own, so that the mesh's no longer count.
  after = changed(path, [](Model& model) { model.morphTargets[1].weight = 0.25f; });
  CHECK(after["nodes"][1]["weights"] == GltfJson::array({0.25}));
  CHECK(after["animations"][0]["channels"].size() == 4);
}

TEST_CASE("glTF in, glTF out: a file that is gone becomes a new one, and says so") {
  const TempFolder folder;
  const auto path = folder.write("s.glb", skinnedFile().glb());
  const Model model = importModel(path);
  std::filesystem::remove(path);
  const GlbFile file = writeGlb(model);
  REQUIRE(file.notes.size() == 1);
  CHECK(contains(file.notes[0], "written as a new one"));
  CHECK(vertexCount(importModel(folder.write("t.glb", file.bytes))) == vertexCount(model));
}

TEST_CASE("a compressed .glb has the same triangles, to its grid") {
  const TempFolder folder;
  const Model before = importModel(folder.write("s.glb", skinnedFile().glb()));
  const std::string small = compressGlb(writeGlb(before).bytes);
  CHECK(parseGlbJson(small)["extensionsRequired"][0] == "EXT_meshopt_compression");
  const Model after = importModel(folder.write("small.glb", small));
  REQUIRE(after.meshes.size() == before.meshes.size());
  for (std::size_t m = 0; m < after.meshes.size(); ++m) {
    REQUIRE(after.meshes[m].triangles.size() == before.meshes[m].triangles.size());
    const Bounds a = computeBounds(before.meshes[m].positions);
    const Bounds b = computeBounds(after.meshes[m].positions);
    CHECK(glm::length(a.min - b.min) < 1e-4f);
    CHECK(glm::length(a.max - b.max) < 1e-4f);
  }
}

TEST_CASE("a compressed .glb keeps the order of vertices whose indices another mesh uses") {
  GltfFile file;
  GltfFile::Json& json = file.json;
  file.primitive()["indices"] = file.add<std::uint16_t>({3, 2, 1, 3, 1, 0}, 5123, "SCALAR");
  json["meshes"].push_back(json["meshes"][0]);
  json["meshes"][1]["primitives"][0]["attributes"]["POSITION"] =
      file.add<float>({5, 0, 0, 7, 0, 0, 7, 4, 0, 5, 3, 0}, 5126, "VEC3");
  json["nodes"].push_back({{"mesh", 1}});
  json["scenes"][0]["nodes"] = {0, 1};
  const TempFolder folder;
  const Model before = importModel(folder.write("s.glb", file.glb()));
  const Model after = importModel(folder.write("small.glb", compressGlb(writeGlb(before).bytes)));
  REQUIRE(after.meshes.size() == 2);
  for (std::size_t m = 0; m < 2; ++m) {
    const auto area = [](const Mesh& mesh) {
      float sum = 0.0f;
      for (const Triangle& t : mesh.triangles)
        sum += 0.5f * glm::length(glm::cross(mesh.positions[t[1]] - mesh.positions[t[0]],
                                             mesh.positions[t[2]] - mesh.positions[t[0]]));
      return sum;
    };
    REQUIRE(after.meshes[m].triangles.size() == before.meshes[m].triangles.size());
    CHECK(area(after.meshes[m]) == doctest::Approx(area(before.meshes[m])).epsilon(1e-3));
  }
}
