// EXT_mesh_gpu_instancing, KHR_animation_pointer, and textures of other kinds.
#include "import/gltf/gltf_test_file.h"
#include "import/import_test_tools.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <array>

using namespace sinew;
using namespace sinew::test;

namespace {

using Json = GltfFile::Json;

} // namespace

TEST_CASE("glTF instances: a mesh is drawn at each place") {
  const TempFolder folder;
  GltfFile file;
  const std::size_t places = file.add<float>({0, 0, 0, 5, 0, 0, 0, 7, 0}, 5126, "VEC3");
  const std::size_t scales = file.add<float>({1, 1, 1, 2, 2, 2, 1, 1, 1}, 5126, "VEC3");
  file.json["extensionsRequired"] = {"EXT_mesh_gpu_instancing"};
  file.json["extensionsUsed"] = {"EXT_mesh_gpu_instancing"};
  const Model one = importModel(folder.write("one.gltf", GltfFile().text()));
  file.json["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] = {
      {"TRANSLATION", places}, {"SCALE", scales}};
  const Model model = importModel(folder.write("a.gltf", file.text()));
  CHECK(model.meshes.size() == 3 * one.meshes.size());
  CHECK(triangleCount(model) == 3 * triangleCount(one));
  const Bounds alone = computeBounds(atRest(one).positions);
  const Bounds all = computeBounds(atRest(model).positions);
  CHECK(all.max.x == doctest::Approx(5.0f + 2.0f * alone.max.x));
  CHECK(all.max.y == doctest::Approx(7.0f + alone.max.y));
}

TEST_CASE("glTF pointers: what moves nodes plays as the format's own channels do") {
  const TempFolder folder;
  GltfFile file;
  const std::size_t times = file.add<float>({0, 1}, 5126, "SCALAR");
  const std::size_t values = file.add<float>({0, 0, 0, 0, 3, 0}, 5126, "VEC3");
  GltfFile pointed = file;
  const auto animate = [&](GltfFile& to, const Json& target) {
    to.json["animations"] =
        Json::array({{{"samplers", Json::array({{{"input", times}, {"output", values}}})},
                      {"channels", Json::array({{{"sampler", 0}, {"target", target}}})}}});
  };
  animate(file, {{"node", 0}, {"path", "translation"}});
  animate(pointed,
          {{"path", "pointer"},
           {"extensions", {{"KHR_animation_pointer", {{"pointer", "/nodes/0/translation"}}}}}});
  const Model a = importModel(folder.write("a.gltf", file.text()));
  const Model b = importModel(folder.write("b.gltf", pointed.text()));
  REQUIRE(b.clips.size() == 1);
  const SkinnedMesh expected = posedAt(a, a.clips.at(0), 0.5f);
  const SkinnedMesh actual = posedAt(b, b.clips[0], 0.5f);
  REQUIRE(actual.positions.size() == expected.positions.size());
  for (std::size_t v = 0; v < actual.positions.size(); ++v)
    CHECK(glm::length(actual.positions[v] - expected.positions[v]) < 1e-6f);
  CHECK(glm::length(actual.positions[0] - atRest(b).positions[0] - vec3(0, 1.5f, 0)) < 1e-5f);
}

TEST_CASE("glTF textures: a kind that is not read is a checkerboard, not a refusal") {
  const TempFolder folder;
  GltfFile file;
  file.json["extensionsRequired"] = {"KHR_texture_basisu"};
  file.json["extensionsUsed"] = {"KHR_texture_basisu"};
  file.json["images"] = Json::array({{{"uri", "a.ktx2"}}});
  file.json["textures"] =
      Json::array({{{"extensions", {{"KHR_texture_basisu", {{"source", 0}}}}}}});
  file.json["materials"] =
      Json::array({{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}});
  file.json["meshes"][0]["primitives"][0]["material"] = 0;
  const Model model = importModel(folder.write("a.gltf", file.text()));
  REQUIRE(model.textures.size() == 1);
  CHECK_FALSE(model.textures[0].found);
  CHECK(anyContains(model.warnings, "checkerboard"));
}

TEST_CASE("glTF textures: WebP is read") {
  // One red pixel without loss, as libwebp writes it.
  constexpr std::array<unsigned char, 36> kRed = {
      0x52, 0x49, 0x46, 0x46, 0x1c, 0x00, 0x00, 0x00, 0x57, 0x45, 0x42, 0x50,
      0x56, 0x50, 0x38, 0x4c, 0x0f, 0x00, 0x00, 0x00, 0x2f, 0x00, 0x00, 0x00,
      0x00, 0x07, 0x10, 0xfd, 0x8f, 0xfe, 0x07, 0x22, 0xa2, 0xff, 0x01, 0x00};
  const TempFolder folder;
  folder.write("a.webp", std::string(reinterpret_cast<const char*>(kRed.data()), kRed.size()));
  GltfFile file;
  file.json["extensionsRequired"] = {"EXT_texture_webp"};
  file.json["extensionsUsed"] = {"EXT_texture_webp"};
  file.json["images"] = Json::array({{{"uri", "a.webp"}}});
  file.json["textures"] = Json::array({{{"extensions", {{"EXT_texture_webp", {{"source", 0}}}}}}});
  file.json["materials"] =
      Json::array({{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}});
  file.json["meshes"][0]["primitives"][0]["material"] = 0;
  const Model model = importModel(folder.write("a.gltf", file.text()));
  REQUIRE(model.textures.size() == 1);
  CHECK(model.textures[0].found);
  CHECK(model.textures[0].image.rgba == std::vector<std::uint8_t>{255, 0, 0, 255});
}

TEST_CASE("glTF instances and pointers: files of others") {
  const std::filesystem::path faults = sharedModels() / "faults";
  if (!std::filesystem::exists(faults)) return;
  const Model instances = importModel(faults / "gpu_instancing" / "24_gpu_instancing.gltf");
  CHECK(instances.meshes.size() > 10);
  const Model pointers = importModel(faults / "animation_pointer" / "24_animation_pointer.gltf");
  REQUIRE(pointers.clips.size() == 1);
  CHECK(pointers.clips[0].channels.size() > 10);
}
