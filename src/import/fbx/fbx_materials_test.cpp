// Textures of FBX materials beside the base colour: which slots are read, and what becomes of them.
#include "core/base64.h"
#include "export/glb.h"
#include "import/fbx/fbx_test_scene.h"
#include "model/check_model.h"
#include "model/png.h"

#include <doctest/doctest.h>

#include <array>

using namespace sinew;
using namespace sinew::test;

namespace {

using Pixel = std::array<std::uint8_t, 4>;

// A strip with two sets of texture coordinates, "first" and "second", and material 3.
struct PaintedStrip : FbxText {
  explicit PaintedStrip(const std::string& properties = {}) {
    model(1, "strip", "Mesh");
    const auto set = [](int layer, const char* name, const char* values) {
      return fmt::format("LayerElementUV: {} {{\nName: \"{}\"\nMappingInformationType: "
                         "\"ByVertice\"\nReferenceInformationType: \"Direct\"\n{}}}\n",
                         layer, name, list("UV", values));
    };
    object(2, "Geometry", "Geometry::strip", "Mesh",
           stripMesh(set(0, "first", "0,0,0.5,0,1,0,0,1,0.5,1,1,1") +
                     set(1, "second", "0,0,0.25,0,0.5,0,0,0.5,0.25,0.5,0.5,0.5")),
           1);
    object(3, "Material", "Material::painted", "", "Properties70:  {\n" + properties + "}\n", 1);
  }

  // A texture of one row of pixels in a slot of the material.
  void paint(const std::string& slot, const std::vector<Pixel>& pixels,
             const std::string& texcoordSet = {}) {
    Image image{static_cast<std::uint32_t>(pixels.size()), 1, {}};
    for (const Pixel& pixel : pixels)
      image.rgba.insert(image.rgba.end(), pixel.begin(), pixel.end());
    const int texture = next_++;
    object(texture, "Texture", "Texture::" + slot, "",
           fmt::format("RelativeFilename: \"{}.png\"\nProperties70:  {{\nP: \"UVSet\", "
                       "\"KString\", \"\", \"\", \"{}\"\n}}\n",
                       texture, texcoordSet),
           0);
    connect(texture, 3, slot);
    object(next_++, "Video", "Video::" + slot, "Clip",
           "Content: ,\n\"" + base64(encodePng(image)) + "\"\n", texture);
  }

 private:
  int next_ = 10;
};

Pixel readPixel(const Model& model, const std::optional<std::uint32_t>& texture,
                std::size_t index) {
  REQUIRE(texture);
  const Image& image = model.textures.at(*texture).image;
  REQUIRE(image.rgba.size() >= 4 * index + 4);
  Pixel out;
  std::copy_n(image.rgba.begin() + static_cast<std::ptrdiff_t>(4 * index), 4, out.begin());
  return out;
}

} // namespace

TEST_CASE("FBX materials: textures of metalness and roughness become one") {
  const std::array<std::array<const char*, 2>, 3> slots = {{
      {"Maya|TEX_metallic_map", "Maya|TEX_roughness_map"},
      {"3dsMax|Parameters|metalness_map", "3dsMax|Parameters|roughness_map"},
      {"Maya|metalness", "Maya|specularRoughness"},
  }};
  for (const auto& [metalness, roughness] : slots) {
    PaintedStrip file(number("Maya|metallic", 0.25) + number("Maya|roughness", 0.25));
    file.paint(metalness, {{10, 10, 10, 255}, {20, 20, 20, 255}});
    file.paint(roughness, {{30, 30, 30, 255}});
    const Model model = importFbx(file);
    const Material& material = model.materials.at(0);
    CHECK((readPixel(model, material.surfaceTexture, 0) == Pixel{255, 30, 10, 255}));
    CHECK((readPixel(model, material.surfaceTexture, 1) == Pixel{255, 30, 20, 255}));
    CHECK(material.metallic == 1.0f);
    CHECK(material.roughness == 1.0f);
    CHECK(model.textures.size() == 1); // its parts are not kept
    CHECK(!anyContains(model.warnings, "texture that"));
    CHECK(toGlb(model).find("metallicRoughnessTexture") != std::string::npos);
  }
}

TEST_CASE("FBX materials: where one of the two is missing, its factor counts") {
  PaintedStrip file(number("Maya|metallic", 0.25));
  file.paint("Maya|TEX_roughness_map", {{30, 30, 30, 255}});
  const Model model = importFbx(file);
  CHECK((readPixel(model, model.materials.at(0).surfaceTexture, 0) == Pixel{255, 30, 255, 255}));
  CHECK(model.materials[0].metallic == 0.25f);
}

TEST_CASE("FBX materials: Blender writes metalness and roughness in other slots") {
  for (const bool blender : {true, false}) {
    PaintedStrip file;
    file.paint("ReflectionFactor", {{10, 10, 10, 255}});
    file.paint("ShininessExponent", {{30, 30, 30, 255}});
    const std::string creator = blender ? "Creator: \"Blender (stable FBX IO) - 3.4.1\"\n" : "";
    const Model model = importFbx(file.text() + creator);
    CHECK(model.materials.at(0).surfaceTexture.has_value() == blender);
    CHECK(anyContains(model.warnings, "2 textures that materials do not show") == !blender);
  }
}

TEST_CASE("FBX materials: a slot that is switched off is not read") {
  PaintedStrip file(number("Maya|use_metallic_map", 0) + number("Maya|use_ao_map", 1));
  file.paint("Maya|TEX_metallic_map", {{10, 10, 10, 255}});
  file.paint("Maya|TEX_ao_map", {{40, 40, 40, 255}});
  const Model model = importFbx(file);
  CHECK(!model.materials.at(0).surfaceTexture);
  CHECK((readPixel(model, model.materials[0].occlusionTexture, 0) == Pixel{40, 40, 40, 255}));
  CHECK(anyContains(model.warnings, "1 texture that a material does not show"));
}

TEST_CASE("FBX materials: emission") {
  PaintedStrip file(vector("EmissiveColor", 0, 0, 0) + number("EmissiveFactor", 3));
  file.paint("EmissiveColor", {{50, 60, 70, 255}});
  const Model model = importFbx(file);
  CHECK(model.materials.at(0).emissive == vec3(3.0f));
  CHECK((readPixel(model, model.materials[0].emissiveTexture, 0) == Pixel{50, 60, 70, 255}));
  CHECK(toGlb(model).find("KHR_materials_emissive_strength") != std::string::npos);
}

TEST_CASE("FBX materials: hostile factors of emission") {
  for (const char* factor : {"nan", "inf", "-1", "1e300", "0"}) {
    PaintedStrip file(fmt::format("P: \"EmissiveFactor\", \"Number\", \"\", \"A\",{}\n", factor));
    file.paint("EmissiveColor", {{50, 60, 70, 255}});
    const TempFolder folder;
    Model model;
    try {
      model = importModel(folder.write("t.fbx", file.text()));
    } catch (const Error&) { // no number of an ASCII file
      continue;
    }
    CHECK(modelProblem(model) == "");
    CHECK(model.materials.at(0).emissive.x <= 1000.0f);
    CHECK(toGlb(model).find("null") == std::string::npos);
  }
}

TEST_CASE("FBX materials: an image of the opacity is the alpha of the base colour") {
  for (const bool byAlpha : {true, false}) {
    PaintedStrip file;
    file.paint("DiffuseColor", {{50, 60, 70, 255}});
    const std::uint8_t half = 128, grey = byAlpha ? 0 : half, alpha = byAlpha ? half : 255;
    file.paint("TransparentColor", {{grey, grey, grey, alpha}, {255, 255, 255, 255}});
    const Model model = importFbx(file);
    const Material& material = model.materials.at(0);
    CHECK((readPixel(model, material.texture, 0) == Pixel{50, 60, 70, 128}));
    CHECK((readPixel(model, material.texture, 1) == Pixel{50, 60, 70, 255}));
    CHECK(material.alphaMode == AlphaMode::blend);
  }
  PaintedStrip file;
  file.paint("3dsMax|Parameters|cutout_map", {{0, 0, 0, 255}, {255, 255, 255, 255}});
  const Model model = importFbx(file);
  CHECK(model.materials.at(0).alphaMode == AlphaMode::mask);
  CHECK((readPixel(model, model.materials[0].texture, 0) == Pixel{255, 255, 255, 0}));
}

TEST_CASE("FBX materials: textures by other coordinates than the base colour are not drawn") {
  PaintedStrip file;
  file.paint("DiffuseColor", {{50, 60, 70, 255}}, "first");
  file.paint("EmissiveColor", {{50, 60, 70, 255}});
  file.paint("Maya|TEX_ao_map", {{40, 40, 40, 255}}, "second");
  file.paint("NormalMap", {{128, 128, 255, 255}}, "second");
  const Model model = importFbx(file);
  const Material& material = model.materials.at(0);
  CHECK(material.emissiveTexture);
  CHECK(!material.occlusionTexture);
  CHECK(!material.normalTexture);
  CHECK(model.warnings.empty());
  REQUIRE(material.texturesBySecondSet.size() == 2);
  CHECK(material.texturesBySecondSet[0].role == TextureRole::normals);
  CHECK(material.texturesBySecondSet[1].role == TextureRole::occlusion);
  CHECK((readPixel(model, material.texturesBySecondSet[1].texture, 0) == Pixel{40, 40, 40, 255}));
  const Mesh& mesh = model.meshes.at(0);
  REQUIRE(mesh.texcoords1.size() == mesh.positions.size());
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    CHECK(mesh.texcoords1[v].x == 0.5f * mesh.texcoords[v].x);
    CHECK(1.0f - mesh.texcoords1[v].y == 0.5f * (1.0f - mesh.texcoords[v].y));
  }
  CHECK(modelProblem(model) == "");

  PaintedStrip alone; // without a base colour, its own coordinates are those of the mesh
  alone.paint("Maya|TEX_ao_map", {{40, 40, 40, 255}}, "second");
  const Model second = importFbx(alone);
  CHECK(second.materials.at(0).occlusionTexture);
  CHECK(computeBounds(second.meshes.at(0).positions).max.x > 0.0f);
  for (const vec2& uv : second.meshes[0].texcoords)
    CHECK(uv.x <= 0.5f);
}

TEST_CASE("FBX materials: beside a missing base colour, the image of the opacity is reported") {
  PaintedStrip file;
  const std::string lost = "RelativeFilename: \"lost.png\"\n";
  file.object(90, "Texture", "Texture::lost", "", lost, 0);
  file.connect(90, 3, "DiffuseColor");
  file.paint("TransparentColor", {{128, 128, 128, 255}});
  const Model model = importFbx(file);
  CHECK(anyContains(model.warnings, "lost.png"));
  CHECK(anyContains(model.warnings, "1 texture that a material does not show"));
  const std::vector<std::string> leftOut = leftOutOfGlb(model);
  REQUIRE(leftOut.size() == 1);
  CHECK(leftOut[0] == "texture lost.png: it was not found");
}
