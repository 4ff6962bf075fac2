// The second set of texture coordinates, with the textures that use it: through glTF and FBX.
#include "core/color.h"
#include "export/fbx/fbx.h"
#include "export/glb.h"
#include "import/gltf/gltf_test_file.h"
#include "import/import_test_tools.h"
#include "model/check_model.h"
#include "model/model_bytes.h"
#include "model/png.h"
#include "rig/subdivide.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

using namespace sinew;
using namespace sinew::test;

namespace {

using Json = nlohmann::ordered_json;
using Pixel = std::array<std::uint8_t, 4>;

// A square with a base colour by TEXCOORD_0 and all other textures by TEXCOORD_1, which lies
// elsewhere; `transform` puts it there by KHR_texture_transform.
GltfFile paintedSquare(bool transform = false) {
  GltfFile file;
  file.primitive()["attributes"]["TEXCOORD_0"] =
      file.add<float>({0, 0, 1, 0, 1, 1, 0, 1}, 5126, "VEC2");
  const std::vector<float> second = {0.25f, 0, 0.5f, 0, 0.5f, 0.125f, 0.25f, 0.125f};
  if (!transform)
    file.primitive()["attributes"]["TEXCOORD_1"] = file.add<float>(second, 5126, "VEC2");
  file.primitive()["material"] = 0;
  for (const Pixel& pixel : {Pixel{200, 100, 50, 255}, Pixel{0, 128, 64, 255}}) {
    const Image image{1, 1, {pixel.begin(), pixel.end()}};
    const std::size_t view = file.addView(encodePng(image));
    file.json["images"].push_back({{"bufferView", view}, {"mimeType", "image/png"}});
    file.json["textures"].push_back({{"source", file.json["images"].size() - 1}});
  }
  Json other = {{"index", 1}};
  if (transform)
    other["extensions"]["KHR_texture_transform"] = {{"offset", {0.25, 0}},
                                                    {"scale", {0.25, 0.125}}};
  else
    other["texCoord"] = 1;
  Json normal = other, occlusion = other;
  normal["scale"] = 0.5;
  occlusion["strength"] = 0.75;
  file.json["materials"] = {{{"name", "painted"},
                             {"pbrMetallicRoughness",
                              {{"baseColorTexture", {{"index", 0}}},
                               {"metallicFactor", 0.5},
                               {"roughnessFactor", 0.25},
                               {"metallicRoughnessTexture", other}}},
                             {"normalTexture", normal},
                             {"occlusionTexture", occlusion},
                             {"emissiveTexture", other},
                             {"emissiveFactor", {1.0, 0.5, 0.25}}}};
  return file;
}

Model importPainted(GltfFile file) {
  const TempFolder folder;
  return importModel(folder.write("t.gltf", file.text()));
}

Json paintedJson(const std::string& glb) {
  std::uint32_t length = 0;
  std::memcpy(&length, &glb.at(12), sizeof length);
  return Json::parse(glb.substr(20, length));
}

// The second coordinates are a function of the first, whatever the order of vertices.
void checkSecond(const Model& model) {
  CHECK(modelProblem(model) == "");
  const Mesh& mesh = model.meshes.at(0);
  REQUIRE(mesh.texcoords.size() == mesh.positions.size());
  REQUIRE(mesh.texcoords1.size() == mesh.positions.size());
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    CHECK(mesh.texcoords1[v].x == doctest::Approx(0.25f + 0.25f * mesh.texcoords[v].x));
    CHECK(mesh.texcoords1[v].y == doctest::Approx(0.125f * mesh.texcoords[v].y));
  }
}

const MaterialTexture& findSecondTexture(const Model& model, TextureRole role) {
  const auto& textures = model.materials.at(0).texturesBySecondSet;
  const auto found = std::ranges::find(textures, role, &MaterialTexture::role);
  REQUIRE(found != textures.end());
  return *found;
}

Pixel secondPixel(const Model& model, TextureRole role) {
  const Image& image = model.textures.at(findSecondTexture(model, role).texture).image;
  REQUIRE(image.rgba.size() == 4);
  return {image.rgba[0], image.rgba[1], image.rgba[2], image.rgba[3]};
}

} // namespace

TEST_CASE("textures by a second set of coordinates come from glTF, also by a transform") {
  for (const bool transform : {false, true}) {
    const Model model = importPainted(paintedSquare(transform));
    CHECK(model.warnings.empty());
    checkSecond(model);
    CHECK(listTextures(model.materials[0]).size() == 1); // what is drawn
    CHECK(model.materials[0].texturesBySecondSet.size() == 4);
    CHECK(findSecondTexture(model, TextureRole::surface).factor == vec3(1.0f, 0.25f, 0.5f));
    CHECK(findSecondTexture(model, TextureRole::emissive).factor == vec3(1.0f, 0.5f, 0.25f));
    checkSecond(modelOfBytes(toBytes(model)));
  }
}

TEST_CASE("a new glTF file has the second set of coordinates and its textures") {
  const GltfFile file = paintedSquare();
  const Model model = importPainted(file);
  const std::string glb = toGlb(model);
  const Json json = paintedJson(glb);
  CHECK(json["meshes"][0]["primitives"][0]["attributes"].contains("TEXCOORD_1"));
  const Json& material = json["materials"][0];
  const Json& wanted = file.json["materials"][0];
  for (const char* slot :
       {"normalTexture", "occlusionTexture", "emissiveTexture", "emissiveFactor"})
    CHECK(material[slot] == wanted[slot]);
  for (const char* slot : {"metallicRoughnessTexture", "metallicFactor", "roughnessFactor"})
    CHECK(material["pbrMetallicRoughness"][slot] == wanted["pbrMetallicRoughness"][slot]);
  const TempFolder folder;
  const Model back = importModel(folder.write("m.glb", glb));
  checkSecond(back);
  CHECK(back.materials[0].texturesBySecondSet.size() == 4);
}

TEST_CASE("an FBX file has the second set of coordinates and its textures") {
  const Model model = importPainted(paintedSquare());
  const TempFolder folder;
  const Model back = importModel(folder.write("m.fbx", toFbx(model).bytes));
  CHECK(back.warnings.empty());
  checkSecond(back);
  CHECK(listTextures(back.materials.at(0)).size() == 1);
  CHECK((secondPixel(back, TextureRole::normals) == Pixel{0, 128, 64, 255}));
  CHECK((secondPixel(back, TextureRole::occlusion) == Pixel{0, 0, 0, 255}));
  // Factors are in the images: roughness 0.25 of 128, metalness 0.5 of 64.
  CHECK((secondPixel(back, TextureRole::surface) == Pixel{255, 32, 32, 255}));
  CHECK(back.materials[0].normalScale == 0.5f);
}

TEST_CASE("the tint of an emission beside a texture is in the image of an FBX file") {
  GltfFile file = paintedSquare();
  file.json["materials"][0]["emissiveTexture"] = {{"index", 0}};
  file.json["materials"][0]["extensions"]["KHR_materials_emissive_strength"] = {
      {"emissiveStrength", 4.0}};
  const Model model = importPainted(file);
  const TempFolder folder;
  const Model back = importModel(folder.write("m.fbx", toFbx(model).bytes));
  const Material& material = back.materials.at(0);
  REQUIRE(material.emissiveTexture);
  CHECK(material.emissive == vec3(4.0f));
  const auto& rgba = back.textures.at(*material.emissiveTexture).image.rgba;
  REQUIRE(rgba.size() == 4);
  const std::array<int, 3> image{200, 100, 50};
  const std::array<float, 3> tint{1.0f, 0.5f, 0.25f};
  for (std::size_t c = 0; c < 3; ++c) {
    const float wanted = tint[c] * linearFromSrgb(static_cast<float>(image[c]) / 255.0f);
    CHECK(std::abs(linearFromSrgb(static_cast<float>(rgba[c]) / 255.0f) - wanted) < 0.003f);
  }
  CHECK(rgba[0] == 200); // by 1: unchanged
  // The base colour has the same image, without the tint.
  const auto& base = back.textures.at(material.texture.value()).image.rgba;
  CHECK((base == std::vector<std::uint8_t>{200, 100, 50, 255}));
}

TEST_CASE("subdivision has second texture coordinates between those of the corners") {
  Model model = importPainted(paintedSquare());
  const std::array<std::uint32_t, 2> triangles{0, 1};
  model.meshes[0] = subdivide(model.meshes[0], triangles, Subdivision::centroid);
  CHECK(model.meshes[0].positions.size() == 6);
  checkSecond(model);
}
