// DirectX .x files written for one rule each: what scripts/tests/x_test.py, which compares posed
// vertices, does not see.
#include "import/import_test_tools.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <cstring>

using namespace sinew;
using namespace sinew::test;

namespace {

// A triangle that looks along -z to the viewer of a left-handed picture.
std::string triangle(const std::string& inside) {
  return "Mesh part { 3; 0;0;0;, 0;1;0;, 1;0;0;; 1; 3;0,1,2;; " + inside + " }";
}

Model read(const std::string& body, const std::string& header = "xof 0303txt 0032\n") {
  const TempFolder folder;
  return importModel(folder.write("file.x", header + body));
}

std::string complaint(const std::string& body, const std::string& header = "xof 0303txt 0032\n") {
  const TempFolder folder;
  return importError(folder.write("file.x", header + body)).what();
}

vec3 faceNormal(const Mesh& mesh) {
  const auto& [a, b, c] = mesh.triangles.at(0);
  return glm::normalize(
      glm::cross(mesh.positions[b] - mesh.positions[a], mesh.positions[c] - mesh.positions[a]));
}

} // namespace

TEST_CASE("X: left-handed and clockwise becomes right-handed and counter-clockwise, once") {
  const Model model =
      read("Frame one { FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,5,1;; }" +
           triangle("MeshNormals { 1; 0;0;-1;; 1; 3;0,0,0;; }") + "}");
  REQUIRE(model.meshes.size() == 1);
  CHECK(model.meshes[0].name == "one");
  CHECK(model.meshes[0].normals.at(0) == vec3(0, 0, 1));
  CHECK(glm::dot(faceNormal(model.meshes[0]), vec3(0, 0, 1)) > 0.99f);
  CHECK(model.hierarchy.nodes.at(0).rest.translation == vec3(0, 0, -5));
  CHECK(model.repairs.empty());
  CHECK(model.warnings.empty());
}

TEST_CASE("X: which way a mesh in a mirrored frame winds is judged where it stands") {
  // Wound the other way, as a writer does that relies on the mirror.
  const Model model =
      read("Frame one { FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,-1,0, 0,0,0,1;; }"
           "Mesh { 3; 0;0;0;, 0;1;0;, 1;0;0;; 1; 3;0,2,1;;"
           "MeshNormals { 1; 0;0;-1;; 1; 3;0,0,0;; } } }");
  CHECK(model.repairs.empty());
  CHECK(glm::dot(faceNormal(model.meshes.at(0)), vec3(0, 0, 1)) < -0.99f);
}

TEST_CASE("X: texture coordinates, vertex colours, materials by name and in place") {
  const Model model =
      read("Material red { 1;0;0;0.5;; 40; 0.2;0.2;0.2;; 0;0;0;; }"
           "Mesh { 4; 0;0;0;, 0;1;0;, 1;0;0;, 1;1;0;; 2; 3;0,1,2;, 3;2,1,3;;"
           "MeshTextureCoords { 4; 0.25;0.5;, 0;1;, 1;0;, 1;1;; }"
           "MeshVertexColors { 2; 0; 1;0;0;1;;, 1; 0;0.5;1;0.5;;; }"
           "MeshMaterialList { 2; 2; 0, 1; { red } Material { 0.5;0.5;0.5;1;; 0; 0;0;0;; 0;0;0;;"
           "TextureFileName { \"lost\\\\gone.png\"; } } } }");
  REQUIRE(model.meshes.size() == 2);
  REQUIRE(model.materials.size() == 2);
  CHECK(model.materials[0].name == "red");
  CHECK(model.materials[0].baseColor == vec4(1, 0, 0, 0.5f));
  CHECK(model.materials[0].shininess == 40.0f);
  REQUIRE(model.materials[1].texture.has_value());
  CHECK(model.textures.at(*model.materials[1].texture).path == "lost\\gone.png");
  const Mesh& mesh = model.meshes[0];
  REQUIRE(mesh.texcoords.size() == 3);
  REQUIRE(mesh.colors.size() == 3);
  for (std::size_t v = 0; v < 3; ++v)
    if (mesh.positions[v] == vec3(0)) {
      CHECK(mesh.texcoords[v] == vec2(0.25f, 0.5f));
      CHECK(mesh.colors[v] == vec4(1, 0, 0, 1));
    } else if (mesh.positions[v] == vec3(1, 0, 0)) {
      CHECK(mesh.colors[v] == vec4(1.0f)); // without one of its own
    }
}

TEST_CASE("X: vertices of a vertex declaration, and of a flexible vertex format") {
  // Each vertex has a normal (three floats), a tangent, texture coordinates and a colour.
  std::string declared = "DeclData { 4; 2;0;3;0;, 2;0;6;0;, 1;0;5;0;, 4;0;10;0;; 27;";
  std::string flexible = "FVFData { 338; 27;"; // position, normal, colour, one set: 0x152
  for (int v = 0; v < 3; ++v) {
    const auto bits = [](float value) {
      std::uint32_t out = 0;
      std::memcpy(&out, &value, sizeof out);
      return std::to_string(out) + ",";
    };
    const std::string normal = bits(0.6f) + bits(0) + bits(-0.8f);
    const std::string texcoord = bits(0.25f) + bits(static_cast<float>(v));
    const std::string color = std::to_string(0x80ff0000u) + ","; // alpha, red, green, blue
    declared.append(normal).append(bits(1)).append(bits(0)).append(bits(0));
    declared.append(texcoord).append(color);
    flexible.append(bits(9)).append(bits(9)).append(bits(9));
    flexible.append(normal).append(color).append(texcoord);
  }
  for (const std::string& list : {declared + "; }", flexible + "; }"}) {
    CAPTURE(list);
    const Model model = read(triangle(list));
    const Mesh& mesh = model.meshes.at(0);
    REQUIRE(mesh.texcoords.size() == 3);
    REQUIRE(mesh.colors.size() == 3);
    for (std::size_t v = 0; v < 3; ++v) {
      CHECK(glm::length(mesh.normals[v] - vec3(0.6f, 0, 0.8f)) < 1e-6f);
      const float row = mesh.positions[v].y > 0.5f   ? 1.0f
                        : mesh.positions[v].x > 0.5f ? 2.0f
                                                     : 0.0f;
      CHECK(mesh.texcoords[v] == vec2(0.25f, row));
      CHECK(glm::length(mesh.colors[v] - vec4(1, 0, 0, 128.0f / 255.0f)) < 1e-6f);
    }
    CHECK(anyContains(model.warnings, list.starts_with("Decl") ? "1 set of tangents" : "element"));
  }
  const Model wrong = read(triangle("DeclData { 1; 2;0;3;0;; 6; 0,0,0,0,0,0; }"));
  CHECK(anyContains(wrong.warnings, "is not of as many vertices: not used"));
}

TEST_CASE("X: what is not used is named") {
  const Model model = read(
      "Frame top {" +
      triangle(
          "MeshTextureCoords { 3; 0;0;, 0;0;, 0;0;; } MeshTextureCoords { 3; 0;0;, 0;0;, 0;0;; }"
          "MeshMaterialList { 1; 1; 0; Material { 1;1;1;1;; 0; 0;0;0;; 0;0;0;;"
          "NormalmapFilename { \"n.png\"; } EffectInstance { \"e.fx\"; } } }") +
      "{ nobody } }"
      "AnimationSet all { Animation { { top } AnimationOptions { 1; 0; }"
      "AnimationKey { 2; 1; 0;3;0,0,0;;; } }"
      "Animation { { lost } AnimationKey { 2; 1; 0;3;0,0,0;;; } } }"
      "CompressedAnimationSet packed { 1; 30.0; 0; 1; 7; }"
      "Patch { 1; 2; }");
  CHECK(anyContains(model.warnings, "1 further set of texture coordinates"));
  CHECK(anyContains(model.warnings, "1 texture of other than the base colour"));
  CHECK(anyContains(model.warnings, "1 object of the kind EffectInstance"));
  CHECK(anyContains(model.warnings, "1 object of the kind Patch"));
  CHECK(anyContains(model.warnings, "1 reference to what is not there"));
  CHECK(anyContains(model.warnings, "1 animation that asks for splines of positions"));
  CHECK(anyContains(model.warnings, "1 compressed animation set is not read"));
  CHECK(anyContains(model.repairs, "1 animation channel moves a node that does not exist"));
  REQUIRE(model.clips.size() == 1);
  CHECK(model.clips[0].name == "all");
}

TEST_CASE("X: errors say where and what") {
  CHECK(contains(complaint("Mesh big { 1000000; 0;0;0;; }"),
                 "Mesh 'big' declares 1000000 vertices, but has numbers for 1 only"));
  CHECK(contains(complaint("Mesh { 1; 0;0;0;; 1; 4000000000; 1,2; }"), "corners of a polygon"));
  CHECK(contains(complaint("Mesh { 1.5; }"), "has 1.5 where a count or an index belongs"));
  CHECK(contains(complaint("AnimationSet { Animation { AnimationKey { 0; 1; 0;3;1,0,0,0;;; } } }"),
                 "of type 0 has a key of 3 values, not 4"));
  CHECK(contains(complaint("AnimationSet { Animation { AnimationKey { 7; 1; 0;3;1,0,0;;; } } }"),
                 "is of type 7"));
  CHECK(contains(complaint("Frame a { Frame b { { a } } }"), "Frame 'a' is within itself"));
  CHECK(contains(complaint("Frame a { } \"open"), "it ends within the text of line 2"));
  CHECK(contains(complaint("", "xof 0303com 0032"), "its form 'com ' is unknown"));
  CHECK(contains(complaint("", "xof 0303txt 0016"), "floats of '0016' bits"));
  CHECK(contains(complaint(std::string("\x07\x00\xff\xff\xff\x0f", 6), "xof 0303bin 0032"),
                 "declares 268435455 values, more than its 0 bytes can hold"));
  CHECK(contains(complaint(std::string("\x63\x00", 2), "xof 0303bin 0032"),
                 "the token 99 at byte 16 is unknown"));
  CHECK(contains(complaint(std::string("\xff\xff\xff\x7f\x00", 5), "xof 0303bzip0032"),
                 "declares 2147483647 unpacked bytes"));
  CHECK(contains(complaint(std::string("\x20\x00\x00\x00\x10\x00\x04\x00"
                                       "CK\x00\x00",
                                       12),
                           "xof 0303tzip0032"),
                 "its compressed block behind byte 0 is damaged"));
}

TEST_CASE("X: references that multiply frames end") {
  std::string body = "Frame f0 { " + triangle("") + " }";
  for (int i = 1; i < 40; ++i)
    body += fmt::format("Frame f{0} {{ {{ f{1} }} {{ f{1} }} }}", i, i - 1);
  CHECK(contains(complaint(body), "repeat frames more than"));
}

TEST_CASE("X: frames nested deeply") {
  std::string body;
  constexpr int kDepth = 20000;
  for (int i = 0; i < kDepth; ++i)
    body += "Frame {";
  body += triangle("");
  for (int i = 0; i < kDepth; ++i)
    body += "}";
  CHECK(read(body).hierarchy.nodes.size() == kDepth);
}
