// Import of small files that the tests write themselves, so that they need nothing else.
#include "import/import_test_tools.h"
#include "model/check_model.h"
#include "model/png.h"
#include "model/test_support.h"

#include <doctest/doctest.h>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

// Two bones along Y, a strip of four vertices; the upper bone turns a quarter about Z over 4800
// ticks. DirectX is left-handed: z and the sense of rotation are reversed here. (Assimp reads a
// comma between whole numbers as a decimal point, hence the zeros.)
const char* const kXFile = R"(xof 0303txt 0032
Frame Root {
  FrameTransformMatrix { 1.0,0.0,0.0,0.0, 0.0,1.0,0.0,0.0, 0.0,0.0,1.0,0.0, 0.0,0.0,0.0,1.0;; }
  Frame Lower {
    FrameTransformMatrix { 1.0,0.0,0.0,0.0, 0.0,1.0,0.0,0.0, 0.0,0.0,1.0,0.0, 0.0,0.0,0.0,1.0;; }
    Frame Upper {
      FrameTransformMatrix { 1.0,0.0,0.0,0.0, 0.0,1.0,0.0,0.0, 0.0,0.0,1.0,0.0, 0.0,2.0,0.0,1.0;; }
    }
  }
  Mesh Strip {
    4; 0;0;5;, 1;0;5;, 0;3;5;, 1;3;5;;
    2; 3;0,2,1;, 3;1,2,3;;
    MeshTextureCoords { 4; 0;1;, 1;1;, 0;0;, 1;0;; }
    XSkinMeshHeader { 1; 1; 2; }
    SkinWeights {
      "Lower"; 2; 0,1; 1.0,1.0;
      1.0,0.0,0.0,0.0, 0.0,1.0,0.0,0.0, 0.0,0.0,1.0,0.0, 0.0,0.0,0.0,1.0;;
    }
    SkinWeights {
      "Upper"; 2; 2,3; 0.5,1.0;
      1.0,0.0,0.0,0.0, 0.0,1.0,0.0,0.0, 0.0,0.0,1.0,0.0, 0.0,-2.0,0.0,1.0;;
    }
  }
}
AnimationSet Turn {
  Animation {
    { Upper }
    AnimationKey { 0; 3;
      0; 4; 1.0,0.0,0.0,0.0;;,
      4800; 4; 0.7071068,0.0,0.0,0.7071068;;,
      2400; 4; 0.9238795,0.0,0.0,0.3826834;;;
    }
    AnimationKey { 2; 1; 0; 3; 0.0,2.0,0.0;;; }
  }
}
)";

// The vertex at a position of the bind pose.
std::size_t vertexAt(const Model& model, const vec3& position) {
  const std::vector<vec3>& all = model.meshes.at(0).positions;
  for (std::size_t v = 0; v < all.size(); ++v)
    if (test::near(all[v], position)) return v;
  FAIL("no vertex at this position");
  return 0;
}

std::string colladaScene(const std::string& up) {
  return R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><up_axis>)" +
         up + R"(</up_axis></asset>
<library_cameras><camera id="c" name="eye"><optics><technique_common><perspective><xfov>40</xfov>
<aspect_ratio>2</aspect_ratio><znear>0.25</znear><zfar>50</zfar></perspective></technique_common>
</optics></camera></library_cameras>
<library_lights><light id="l"><technique_common><spot><color>8 4 2</color>
<falloff_angle>60</falloff_angle></spot></technique_common></light>
<light id="d"><technique_common><directional><color>0.5 1 0.25</color></directional>
</technique_common></light></library_lights>
<library_effects><effect id="e"><profile_COMMON><technique sid="t"><phong>
<emission><color>1 0.5 0 1</color></emission><diffuse><color>0.5 0.5 0.5 1</color></diffuse>
</phong></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m" name="glow"><instance_effect url="#e"/></material>
</library_materials>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="9">0 0 0 1 0 0 0 1 0</float_array><technique_common>
<accessor source="#pa" count="3" stride="3"><param name="X" type="float"/><param name="Y"
type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<source id="t"><float_array id="ta" count="6">0 0 1 0 0 1</float_array><technique_common>
<accessor source="#ta" count="3" stride="2"><param name="S" type="float"/><param name="T"
type="float"/></accessor></technique_common></source>
<source id="u"><float_array id="ua" count="6">0.5 0.5 0.75 0.5 0.5 0.75</float_array>
<technique_common><accessor source="#ua" count="3" stride="2"><param name="S" type="float"/>
<param name="T" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1" material="m"><input semantic="VERTEX" source="#v" offset="0"/>
<input semantic="TEXCOORD" source="#t" offset="0" set="0"/>
<input semantic="TEXCOORD" source="#u" offset="0" set="1"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="a"><instance_geometry url="#g">
<bind_material><technique_common><instance_material symbol="m" target="#m"/></technique_common>
</bind_material></instance_geometry></node>
<node id="b" name="b"><translate>1 2 3</translate><instance_camera url="#c"/></node>
<node id="e" name="e"><instance_light url="#l"/></node>
<node id="f" name="f"><instance_light url="#d"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>)";
}

const Node& requireNode(const Model& model, const char* name) {
  const auto index = findNode(model.hierarchy, name);
  REQUIRE(index);
  return model.hierarchy.nodes[*index];
}

std::string pngOfPixel(std::array<std::uint8_t, 4> pixel) {
  return encodePng(Image{1, 1, {pixel.begin(), pixel.end()}});
}

} // namespace

TEST_CASE("a DirectX file: handedness, skin, ticks by default, keys put in order") {
  const TempFolder folder;
  const Model model = importModel(folder.write("strip.x", kXFile));
  CHECK(model.format == "DirectX X text");
  CHECK(model.name == "strip");
  REQUIRE(model.meshes.size() == 1);
  const Mesh& mesh = model.meshes[0];
  CHECK(mesh.positions.size() == 4);
  CHECK(mesh.triangles.size() == 2);
  REQUIRE(mesh.skin);
  REQUIRE(model.skins.size() == 1);
  CHECK(model.skins[0].joints.size() == 2);
  CHECK(anyContains(model.repairs, "do not sum to one"));
  CHECK(anyContains(model.repairs, "out of order"));
  CHECK(anyContains(model.repairs, "normals are missing"));

  // z is mirrored and the winding with it: the strip faced -z there, and faces +z here.
  const std::size_t corner = vertexAt(model, {1, 3, -5});
  CHECK(test::near(mesh.normals[corner], {0, 0, 1}));
  const Triangle& t = mesh.triangles[0];
  CHECK(glm::cross(mesh.positions[t[1]] - mesh.positions[t[0]],
                   mesh.positions[t[2]] - mesh.positions[t[0]])
            .z > 0.0f);
  CHECK(mesh.texcoords[corner] == vec2(1, 0)); // the image's upper right, as in DirectX

  REQUIRE(model.clips.size() == 1);
  const Clip& clip = model.clips[0];
  CHECK(clip.name == "Turn");
  CHECK(clip.seconds == doctest::Approx(1.0f));
  // The key's quaternion is the inverse of the rotation, as D3DX writes it, in a left-handed space.
  CHECK(test::near(posedAt(model, clip, 1.0f).positions[corner], {1, 1, -5}));
  const vec3 half = posedAt(model, clip, 0.5f).positions[corner];
  CHECK(glm::distance(half, vec3(0, 2, -5)) == doctest::Approx(std::sqrt(2.0f)));
  // What follows the lower bone stays.
  CHECK(test::near(posedAt(model, clip, 1.0f).positions[vertexAt(model, {1, 0, -5})], {1, 0, -5}));
}

TEST_CASE("a model in its rest pose is its bind pose") {
  const TempFolder folder;
  const Model model = importModel(folder.write("strip.x", kXFile));
  const SkinnedMesh rest = atRest(model);
  for (std::size_t v = 0; v < rest.positions.size(); ++v)
    CHECK(test::near(rest.positions[v], model.meshes[0].positions[v]));
}

TEST_CASE("a file in frames without ticks plays at thirty a second and says so") {
  std::string text = kXFile;
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("4800; 4;", "2; 4;");
  replace("2400; 4;", "1; 4;");
  const TempFolder folder;
  const Model model = importModel(folder.write("frames.x", text));
  CHECK(model.clips.at(0).seconds == doctest::Approx(2.0f / 30.0f));
  CHECK(anyContains(model.repairs, "30 frames a second"));
}

TEST_CASE("a motion file without a mesh gives nodes and a clip, and no stick figure") {
  const TempFolder folder;
  const Model model = importModel(folder.write("nod.bvh", R"(HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Neck
  {
    OFFSET 0 5 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 2 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.1
0 9 0 0 0 0 0 0 0
0 9 0 0 0 0 90 0 0
0 9 0 0 0 0 0 0 0
)"));
  CHECK(model.meshes.empty());
  REQUIRE(model.clips.size() == 1);
  CHECK(model.clips[0].seconds == doctest::Approx(0.2f));
  const auto neck = findNode(model.hierarchy, "Neck");
  REQUIRE(neck);
  const auto matrices =
      modelFromNodes(model.hierarchy, sample(model.hierarchy, model.clips[0], 0.1f));
  CHECK(test::near(vec3(matrices[*neck][3]), {0, 14, 0}, 1e-4f));
  CHECK(test::near(transformVector(matrices[*neck], {0, 2, 0}), {-2, 0, 0}, 1e-4f));
}

TEST_CASE("an image is found by bare name without case, in a subfolder, with another extension") {
  const TempFolder folder;
  std::filesystem::create_directories(folder.path / "Textures");
  // A 1x1 TGA: 18 bytes of header, then blue, green, red.
  const std::string tga("\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\x18\0\x10\x20\x30", 21);
  folder.write("Textures/skin.TGA", tga);
  folder.write("m.mtl",
               "newmtl a\nKd 0 0 0\nmap_Kd C:\\art\\Skin.PNG\nnewmtl b\nmap_Kd gone.png\n");
  const Model model =
      importModel(folder.write("m.obj", "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"
                                        "vt 0 0\nvt 1 0\nvt 0 1\nusemtl a\n"
                                        "f 1/1 2/2 3/3\nusemtl b\nf 1/1 3/3 2/2\n"));
  REQUIRE(model.textures.size() == 2);
  const Texture& found = model.textures[0].found ? model.textures[0] : model.textures[1];
  const Texture& gone = model.textures[0].found ? model.textures[1] : model.textures[0];
  REQUIRE(found.found);
  CHECK(contains(found.source, "skin.TGA"));
  REQUIRE(found.image.rgba.size() == 4);
  CHECK(found.image.rgba[0] == 0x30);
  CHECK(found.image.rgba[2] == 0x10);
  CHECK_FALSE(gone.found);
  CHECK(gone.image.width > 1); // the checkerboard
  CHECK(anyContains(model.warnings, "gone.png"));
  CHECK(anyContains(model.warnings, "is used instead"));
  // The texture replaces a black diffuse colour.
  for (const Material& material : model.materials)
    CHECK(material.baseColor == vec4(1.0f));
}

TEST_CASE("a mesh shown by two nodes becomes two, and a matrix with shear stays exact") {
  // One triangle as data URI: three corners of three floats, then the indices 0, 1, 2.
  const char* const gltf = R"({"asset":{"version":"2.0"},"scene":0,
"scenes":[{"nodes":[0,1]}],
"nodes":[{"name":"a","mesh":0,"matrix":[1,0,0,0, 0.5,1,0,0, 0,0,1,0, 0,0,7,1]},
         {"name":"b","mesh":0,"translation":[0,0,3]}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},
             {"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}],
"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6}],
"buffers":[{"byteLength":42,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIA"}]})";
  const TempFolder folder;
  const Model model = importModel(folder.write("two.gltf", gltf));
  CHECK(model.format == "glTF");
  REQUIRE(model.meshes.size() == 2);
  REQUIRE(model.metersPerUnit);
  CHECK(*model.metersPerUnit == 1.0f);
  const SkinnedMesh posed = atRest(model);
  REQUIRE(posed.positions.size() == 6);
  const auto has = [&](const vec3& p) {
    for (const vec3& q : posed.positions)
      if (test::near(p, q)) return true;
    return false;
  };
  CHECK(has({0.5f, 1, 7})); // (0, 1, 0) sheared along x
  CHECK(has({1, 0, 7}));
  CHECK(has({0, 1, 3}));
}

TEST_CASE("textures beyond the limits, of one and of all, are replaced and reported") {
  const TempFolder folder;
  // 8 x 8 TGAs, all of one run-length packet of 64 pixels: 22 bytes for 256 decoded ones.
  const std::string tga("\0\0\x0a\0\0\0\0\0\0\0\0\0\x08\0\x08\0\x18\0\xbf\x10\x20\x30", 22);
  std::string mtl;
  std::string obj = "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n";
  for (const char* name : {"a", "b", "c"}) {
    folder.write(std::string(name) + ".tga", tga);
    mtl += "newmtl " + std::string(name) + "\nmap_Kd " + name + ".tga\n";
    obj += "usemtl " + std::string(name) + "\nf 1/1 2/2 3/3\n";
  }
  folder.write("m.mtl", mtl);
  const auto path = folder.write("m.obj", obj);
  const auto found = [](const Model& model) {
    return std::count_if(model.textures.begin(), model.textures.end(),
                         [](const Texture& texture) { return texture.found; });
  };
  CHECK(found(importModel(path)) == 3);
  ImportOptions options;
  options.maxImageBytes = 512; // two images of 8 x 8
  const Model two = importModel(path, options);
  CHECK(found(two) == 2);
  CHECK(anyContains(two.warnings, "is too large: 8 x 8 pixels"));
  options = {};
  options.maxImageSide = 7;
  const Model scaled = importModel(path, options);
  CHECK(found(scaled) == 3);
  for (const Texture& texture : scaled.textures)
    CHECK(texture.image.width == 4);
  CHECK(anyContains(scaled.warnings, "is too large: it is shown at 4 x 4 pixels, 1/2 of its size"));
  options.decodeTextures = false;
  options.checkTextures = true;
  CHECK(importModel(path, options).warnings == scaled.warnings);
}

TEST_CASE("finite numbers too large to compute with are repaired like those that are not finite") {
  const TempFolder folder;
  const Model model = importModel(
      folder.write("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1e38 1 0\nf 1 2 3\nf 2 4 3\n"));
  CHECK(vertexCount(model) == 3);
  CHECK(anyContains(model.repairs, "1 vertex position is not finite or beyond 1e15"));
  const Model moved = importModel(folder.write("m.gltf", R"({"asset":{"version":"2.0"},"scene":0,
"scenes":[{"nodes":[0]}],"nodes":[{"name":"a","mesh":0,"translation":[0,1e30,3]}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
             {"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}],
"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6}],
"buffers":[{"byteLength":42,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIA"}]})"));
  CHECK(anyContains(moved.repairs, "1 node matrix is not finite or beyond 1e15"));
  CHECK(computeBounds(atRest(moved).positions).size() < 10.0f);
}

TEST_CASE("what Assimp reads and is not used is one line") {
  const TempFolder folder;
  folder.write("m.mtl", "newmtl m\nmap_Kd a.png\nmap_Ks b.png\nmap_Ke c.png\n");
  const Model obj = importModel(folder.write(
      "a.obj",
      "mtllib m.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 "
      "3/3\no wire\nl 1 2\n"));
  CHECK(anyContains(obj.warnings, "not used: 1 mesh with points or lines, 2 textures that have no "
                                  "place in glTF"));

  const Model dae = importModel(folder.write("a.dae", R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<library_cameras><camera id="c"><optics><technique_common><perspective><xfov>40</xfov>
</perspective></technique_common></optics></camera></library_cameras>
<library_lights><light id="l"><technique_common><ambient><color>1 1 1</color></ambient>
</technique_common></light></library_lights>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="9">0 0 0 1 0 0 0 1 0</float_array><technique_common>
<accessor source="#pa" count="3" stride="3"><param name="X" type="float"/><param name="Y"
type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<source id="t"><float_array id="ta" count="6">0 0 1 0 0 1</float_array><technique_common>
<accessor source="#ta" count="3" stride="2"><param name="S" type="float"/><param name="T"
type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/>
<input semantic="TEXCOORD" source="#t" offset="0" set="0"/>
<input semantic="TEXCOORD" source="#t" offset="0" set="1"/>
<input semantic="TEXCOORD" source="#t" offset="0" set="2"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="a"><instance_geometry url="#g"/></node>
<node id="b"><instance_camera url="#c"/></node><node id="d"><instance_light url="#l"/></node>
</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>)"));
  CHECK(anyContains(dae.warnings, "not used: 1 light, 1 further set of texture coordinates"));
}

TEST_CASE("Collada: cameras, lights, emission and second texture coordinates") {
  for (const char* up : {"Y_UP", "Z_UP"}) {
    CAPTURE(up);
    const TempFolder folder;
    const Model model = importModel(folder.write("a.dae", colladaScene(up)));
    CHECK(modelProblem(model) == "");
    const auto& camera = requireNode(model, "b").camera;
    REQUIRE(camera);
    CHECK(camera->aspect == doctest::Approx(2.0f));
    CHECK(std::tan(0.5f * camera->fieldOfView) ==
          doctest::Approx(0.5f * std::tan(glm::radians(20.0f))));
    CHECK(camera->nearPlane == doctest::Approx(0.25f));
    CHECK(camera->farPlane == doctest::Approx(50.0f));
    // Both formats look along -Z.
    CHECK(std::abs(camera->nodeFromCamera.w) == doctest::Approx(1.0f));
    const auto& spot = requireNode(model, "e").light;
    REQUIRE(spot);
    CHECK(spot->kind == LightKind::spot);
    CHECK(spot->intensity == doctest::Approx(8.0f));
    CHECK(spot->color.y == doctest::Approx(0.5f));
    CHECK(spot->innerAngle <= spot->outerAngle);
    CHECK(std::abs(spot->nodeFromLight.w) == doctest::Approx(1.0f));
    const auto& sun = requireNode(model, "f").light;
    REQUIRE(sun);
    CHECK(sun->kind == LightKind::directional);
    CHECK(sun->intensity == doctest::Approx(1.0f));
    CHECK(sun->color.z == doctest::Approx(0.25f));
    CHECK(model.materials.at(0).emissive.x == doctest::Approx(1.0f));
    CHECK(model.materials.at(0).emissive.y == doctest::Approx(0.2140411f)); // sRGB 0.5
    const Mesh& mesh = model.meshes.at(0);
    REQUIRE(mesh.texcoords1.size() == mesh.positions.size());
    for (std::size_t v = 0; v < mesh.texcoords.size(); ++v)
      CHECK(mesh.texcoords1[v].x == doctest::Approx(0.5f + 0.25f * mesh.texcoords[v].x));
    for (const std::string& line : model.warnings)
      CHECK(line.find("not used") == std::string::npos);
  }
}

TEST_CASE("OBJ: textures and factors of the physical look, of emission and opacity") {
  const TempFolder folder;
  folder.write("a.png", pngOfPixel({200, 100, 50, 255}));
  folder.write("d.png", pngOfPixel({128, 128, 128, 255}));
  folder.write("e.png", pngOfPixel({70, 80, 90, 255}));
  folder.write("r.png", pngOfPixel({30, 30, 30, 255}));
  folder.write("m.png", pngOfPixel({10, 10, 10, 255}));
  folder.write("t.mtl", "newmtl t\nKd 1 1 1\nmap_Kd a.png\nmap_d d.png\nmap_Ke e.png\n"
                        "map_Pr r.png\nmap_Pm m.png\n");
  folder.write("f.mtl", "newmtl f\nKd 1 1 1\nKe 0 1 0\nPr 0.25\nPm 0.75\n");
  const char* const mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n";
  const Model textured =
      importModel(folder.write("t.obj", std::string("mtllib t.mtl\nusemtl t\n") + mesh));
  CHECK(modelProblem(textured) == "");
  const Material& all = textured.materials.at(0);
  const auto pixel = [&](const std::optional<std::uint32_t>& texture) {
    REQUIRE(texture);
    return textured.textures.at(*texture).image.rgba;
  };
  CHECK(pixel(all.texture) == std::vector<std::uint8_t>{200, 100, 50, 128});
  CHECK(all.alphaMode == AlphaMode::blend);
  CHECK(pixel(all.surfaceTexture) == std::vector<std::uint8_t>{255, 30, 10, 255});
  CHECK(all.metallic == 1.0f);
  CHECK(all.roughness == 1.0f);
  CHECK(pixel(all.emissiveTexture)[1] == 80);
  CHECK(all.emissive == vec3(1.0f));
  for (const std::string& line : textured.warnings)
    CHECK(line.find("not used") == std::string::npos);

  const Model plain =
      importModel(folder.write("f.obj", std::string("mtllib f.mtl\nusemtl f\n") + mesh));
  CHECK(plain.materials.at(0).emissive == vec3(0.0f, 1.0f, 0.0f));
  CHECK(plain.materials.at(0).roughness == doctest::Approx(0.25f));
  CHECK(plain.materials.at(0).metallic == doctest::Approx(0.75f));
}
