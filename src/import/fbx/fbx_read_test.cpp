// FBX files of one rule each, written here.
#include "core/base64.h"
#include "import/fbx/fbx_test_scene.h"
#include "model/model_bytes.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

using namespace sinew;
using namespace sinew::test;

namespace {

std::string catchMessage(const std::string& bytes) {
  const TempFolder folder;
  return importError(folder.write("t.fbx", bytes)).what();
}

std::string inherit(int type) {
  return fmt::format("P: \"InheritType\", \"enum\", \"\", \"\",{}\n", type);
}

// The bytes of a model but for where it was read.
std::vector<std::byte> toComparableBytes(Model model) {
  model.path.clear();
  model.name.clear();
  model.format.clear();
  return toBytes(model);
}

} // namespace

TEST_CASE("FBX: the method that a skin states, or the shares of dual quaternions by vertex") {
  const auto read = [](const std::string& skin) { return importFbx(skinnedStrip({}, skin)); };
  const auto type = [](const char* name) { return fmt::format("SkinningType: \"{}\"\n", name); };
  CHECK(read("").skinnedBy.empty());
  CHECK(read(type("Linear")).skinnedBy.empty());
  CHECK(read(type("Rigid")).skinnedBy == "rigid");
  CHECK(read(type("DualQuaternion")).skinnedBy == "dqs");
  const auto blend = [&](const char* shares) {
    return read(type("Blend") + list("Indexes", "0,1,2,3,4,5") + list("BlendWeights", shares));
  };
  CHECK(blend("0,0,0,0,0,0").skinnedBy.empty());
  CHECK(blend("0,0,0,0,0,0").meshes.at(0).dualQuaternionShares.empty());
  CHECK(blend("1,1,1,1,1,1").skinnedBy == "dqs");
  CHECK(blend("1,1,1,1,1,1").meshes.at(0).dualQuaternionShares.empty());
  // Listed out of order; a point that is not listed has none, and a share is at most 1.
  const Model mixed =
      read(type("Blend") + list("Indexes", "2,0,5,1,99") + list("BlendWeights", "0.25,1,7,0.5,1"));
  CHECK(mixed.skinnedBy == "per-joint");
  CHECK(mixed.warnings.empty());
  const Mesh& mesh = mixed.meshes.at(0);
  const std::array<float, 6> shares{1.0f, 0.5f, 0.25f, 0.0f, 0.0f, 1.0f}; // at three by two points
  REQUIRE(mesh.dualQuaternionShares.size() == shares.size());
  for (std::size_t v = 0; v < shares.size(); ++v) {
    const auto point = static_cast<std::size_t>(mesh.positions[v].x + 3.0f * mesh.positions[v].y);
    CHECK(mesh.dualQuaternionShares[v] == shares.at(point));
  }
}

TEST_CASE("FBX: ASCII and all forms of binary are one model") {
  FbxText file = skinnedStrip();
  addStack(file, 0.0, 1.0);
  animate(file, 110, 101, 4, "Lcl Rotation", {"", "", linearCurve({0, 1}, "0,90")});
  const Model ascii = importFbx(file);
  CHECK(ascii.format == "FBX ASCII");
  CHECK(triangleCount(ascii) == 4);
  REQUIRE(ascii.clips.size() == 1);
  for (const std::uint32_t version : {7400u, 7500u, 7700u})
    for (const bool compress : {false, true}) {
      const Model binary = importFbx(fbxBinary(file.text(), {version, compress}));
      CHECK(binary.format == "FBX binary");
      CHECK((toComparableBytes(binary) == toComparableBytes(ascii)));
    }
}

TEST_CASE("FBX: text of every kind") {
  const FbxElement root = parseFbxAscii(
      "A: 1, -2.5e3,\n \"x;{}&quot;y\", W\n; a comment { \nB:  {\nC: ,\"in\"\n}\nD: ");
  REQUIRE(root.children.size() == 3);
  const FbxElement& a = root.children[0];
  REQUIRE(a.values.size() == 4);
  CHECK(toInteger(a.values[0]) == 1);
  CHECK(toReal(a.values[1]) == -2500.0);
  CHECK(toString(a.values[2]) == "x;{}\"y");
  CHECK(toString(a.values[3]) == "W");
  CHECK(childText(root.children[1], "C") == "in");
  CHECK_THROWS_AS(parseFbxAscii("A: {\n"), FbxError);
  CHECK_THROWS_AS(parseFbxAscii("A: 1\n}\n"), FbxError);
  CHECK_THROWS_AS(parseFbxAscii("A: \"x\n"), FbxError);
  CHECK_THROWS_AS(parseFbxAscii("1 2 3"), FbxError);
  std::string deep;
  for (int i = 0; i < 100000; ++i)
    deep += "A: {\n";
  CHECK_THROWS_AS(parseFbxAscii(deep), FbxError);
}

TEST_CASE("FBX: lists of another length than stated are errors") {
  FbxText file;
  file.model(1, "strip", "Mesh");
  file.object(2, "Geometry", "Geometry::strip", "Mesh", stripMesh(), 1);
  CHECK(triangleCount(importFbx(file)) == 4);
  std::string text = file.text();
  text.replace(text.find("*18"), 3, "*15");
  CHECK(contains(catchMessage(text), "'Vertices' says it has 15 numbers and has 18"));
  // The stated length of a compressed array, and of one that is not.
  for (const bool compress : {false, true}) {
    std::string binary = fbxBinary(file.text(), {7400, compress});
    const std::size_t at = binary.find("Verticesd") + 9;
    binary[at] = 12;
    CHECK(contains(catchMessage(binary), "an array of 12 numbers"));
    binary[at] = 24;
    CHECK(contains(catchMessage(binary), "an array of 24 numbers"));
  }
  std::string mesh = file.text();
  mesh.replace(mesh.find("5,-5"), 4, "5,5");
  mesh.replace(mesh.find("*8"), 2, "*8");
  CHECK(contains(catchMessage(mesh), "does not end"));
}

TEST_CASE("FBX: versions that are not read name a remedy") {
  const auto version = [](int number) {
    FbxText file;
    std::string text = file.text();
    text.replace(text.find("7400"), 4, std::to_string(number));
    return text;
  };
  CHECK(contains(catchMessage(version(5000)), "Autodesk's FBX Converter"));
  CHECK(contains(catchMessage(version(7400)), "has neither triangles"));
}

TEST_CASE("FBX: the chain of pivots, offsets and rotations") {
  for (int order = 0; order < 6; ++order) {
    FbxText file;
    file.model(1, "a", "Null",
               vector("Lcl Translation", 1, 2, 3) + vector("RotationOffset", 0.5, 0, -1) +
                   vector("RotationPivot", -2, 1, 0.25) + vector("PreRotation", 30, -40, 50) +
                   vector("Lcl Rotation", -70, 20, 110) + vector("PostRotation", 15, 25, -35) +
                   vector("ScalingOffset", 0.1, 0.2, 0.3) + vector("ScalingPivot", 1, -1, 2) +
                   vector("Lcl Scaling", 2, 0.5, 1.5) + number("RotationActive", 1) +
                   number("RotationOrder", order));
    file.model(2, "b", "Null", vector("Lcl Translation", 0, 1, 0), 1);
    file.model(3, "c", "Null", {}, 2);
    const dvec3 rp(-2, 1, 0.25);
    const dvec3 sp(1, -1, 2);
    const dmat4 expected = moved({1, 2, 3}) * moved({0.5, 0, -1}) * moved(rp) *
                           rotation({30, -40, 50}) * rotation({-70, 20, 110}, order) *
                           glm::inverse(rotation({15, 25, -35})) * moved(-rp) *
                           moved({0.1, 0.2, 0.3}) * moved(sp) * scaled({2, 0.5, 1.5}) * moved(-sp);
    const Model model = importFbx(file);
    CHECK(matrixDifference(getRestMatrix(model, "a"), expected) < 1e-5);
    CHECK(matrixDifference(getRestMatrix(model, "b"), expected * moved({0, 1, 0})) < 1e-5);
  }
}

TEST_CASE("FBX: without RotationActive, order and both further rotations do not count") {
  FbxText file;
  file.model(1, "a", "Null",
             vector("PreRotation", 30, -40, 50) + vector("Lcl Rotation", -70, 20, 110) +
                 vector("PostRotation", 15, 25, -35) + number("RotationOrder", 4));
  file.model(2, "b", "Null", {}, 1);
  file.model(3, "c", "Null", {}, 2);
  CHECK(matrixDifference(getRestMatrix(importFbx(file), "a"), rotation({-70, 20, 110})) < 1e-6);
}

TEST_CASE("FBX: scale is inherited in three ways, also while it is animated") {
  const dvec3 rotationA(10, 20, 30);
  const dvec3 rotationB(-50, 15, 80);
  const dvec3 scaleB(0.5, 3, 1);
  const dvec3 at(1, 2, 3);
  for (const int type : {0, 1, 2}) {
    FbxText file;
    file.model(1, "a", "Null", vector("Lcl Rotation", 10, 20, 30) + vector("Lcl Scaling", 2, 1, 4));
    file.model(2, "b", "Null",
               inherit(type) + vector("Lcl Translation", 1, 2, 3) +
                   vector("Lcl Rotation", -50, 15, 80) + vector("Lcl Scaling", 0.5, 3, 1),
               1);
    file.model(3, "c", "Null", vector("Lcl Translation", 0, 0, 1), 2);
    addStack(file, 0.0, 1.0);
    animate(file, 110, 101, 1, "Lcl Scaling",
            {linearCurve({0, 1}, "2,3"), "", linearCurve({0, 1}, "4,1")});
    const Model model = importFbx(file);
    const auto expected = [&](const dvec3& scaleA) {
      const dmat4 above = rotation(rotationA) * scaled(scaleA);
      const dmat4 place = moved(dvec3(above * glm::dvec4(at, 1.0)));
      if (type == 1) return place * above * rotation(rotationB) * scaled(scaleB);
      if (type == 0)
        return place * rotation(rotationA) * rotation(rotationB) * scaled(scaleA) * scaled(scaleB);
      return place * rotation(rotationA) * rotation(rotationB) * scaled(scaleB);
    };
    CAPTURE(type);
    CHECK(matrixDifference(getRestMatrix(model, "b"), expected({2, 1, 4})) < 1e-5);
    CHECK(matrixDifference(getRestMatrix(model, "c"), expected({2, 1, 4}) * moved({0, 0, 1})) <
          1e-5);
    for (const float time : {0.0f, 0.3f, 0.77f, 1.0f}) {
      const Pose pose = sample(model.hierarchy, model.clips.at(0), time);
      const auto t = static_cast<double>(time);
      CHECK(matrixDifference(modelFromNode(model, "b", pose), expected({2 + t, 1, 4 - 3 * t})) <
            2e-5);
    }
  }
}

TEST_CASE("FBX: axes and units") {
  FbxText file;
  file.settings = "P: \"UpAxis\", \"int\", \"Integer\", \"\",2\nP: \"FrontAxis\", \"int\", "
                  "\"Integer\", \"\",1\n"
                  "P: \"FrontAxisSign\", \"int\", \"Integer\", \"\",-1\nP: \"CoordAxis\", \"int\", "
                  "\"Integer\", "
                  "\"\",0\nP: \"UnitScaleFactor\", \"double\", \"Number\", \"\",2.54\n";
  file.model(1, "a", "Null", vector("Lcl Translation", 1, 2, 3));
  file.model(2, "b", "Null", {}, 1);
  const Model model = importFbx(file);
  const vec4 place = getRestMatrix(model, "a")[3];
  CHECK(glm::distance(vec3(place), vec3(1, 3, -2)) < 1e-5f); // up is z, the front looks along -y
  CHECK(model.metersPerUnit == doctest::Approx(0.0254f));
}

TEST_CASE("FBX: defaults of properties come from the definitions") {
  FbxText file;
  file.model(1, "a", "Null");
  file.model(2, "b", "Null", vector("Lcl Translation", 4, 0, 0), 1);
  std::string text = file.text();
  text.insert(
      text.find("Objects:"),
      "Definitions:  {\nObjectType: \"Model\" {\nPropertyTemplate: \"FbxNode\" {\nProperties70:  "
      "{\n" +
          vector("Lcl Translation", 0, 5, 0) + "}\n}\n}\n}\n");
  const Model model = importFbx(text);
  CHECK(vec3(getRestMatrix(model, "a")[3]) == vec3(0, 5, 0));
  CHECK(vec3(getRestMatrix(model, "b")[3]) == vec3(4, 5, 0));
}

TEST_CASE("FBX: vertices without weights follow the mesh's node, the others its bones alone") {
  FbxText file = skinnedStrip(vector("Lcl Translation", 0, 0, 7));
  const Model model = importFbx(file);
  REQUIRE(model.meshes.size() == 1);
  CHECK(anyContains(model.repairs, "1 vertex of a skinned mesh lies"));
}

TEST_CASE("FBX: geometric transforms move vertices and not children") {
  const std::string geometric = vector("GeometricTranslation", 0, 0, 5) +
                                vector("GeometricRotation", 0, 0, 90) +
                                vector("GeometricScaling", 2, 1, 1);
  FbxText rigid;
  rigid.model(1, "strip", "Mesh", geometric);
  rigid.object(2, "Geometry", "Geometry::strip", "Mesh", stripMesh(), 1);
  rigid.model(3, "child", "Null", {}, 1);
  const Model model = importFbx(rigid);
  CHECK(vec3(getRestMatrix(model, "child")[3]) == vec3(0));
  const Bounds bounds = computeBounds(atRest(model).positions);
  CHECK(glm::distance(bounds.min, vec3(-1, 0, 5)) < 1e-6f);
  CHECK(glm::distance(bounds.max, vec3(0, 4, 5)) < 1e-6f);
  const Bounds skinned = computeBounds(atRest(importFbx(skinnedStrip(geometric))).positions);
  CHECK(glm::distance(skinned.min, vec3(-1, 0, 5)) < 1e-6f);
  CHECK(glm::distance(skinned.max, vec3(0, 4, 5)) < 1e-6f);
}

TEST_CASE("FBX: several skins of one mesh add up, and bones that are no nodes are left out") {
  FbxText file = skinnedStrip();
  file.object(8, "Deformer", "Deformer::", "Skin", "", 2);
  file.object(9, "Deformer", "SubDeformer::", "Cluster",
              list("Indexes", "4") + list("Weights", "1") +
                  list("Transform", "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1") +
                  list("TransformLink", "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1"),
              8);
  file.connect(3, 9);
  file.object(10, "Deformer", "SubDeformer::", "Cluster",
              list("Indexes", "4") + list("Weights", "1"), 8);
  const Model model = importFbx(file);
  CHECK_FALSE(anyContains(model.repairs, "weight"));
  CHECK(anyContains(model.warnings, "1 bone of a skin is no node"));
}

// v' = w M(bone) v + (1 - w) M(mesh) v: a point of a weight below 1 moves by that part of the
// bone's displacement from the mesh.
TEST_CASE("FBX: weights that are not normalised leave the rest to the mesh") {
  for (const char* mode : {"Normalize", "Total1", "Additive"}) {
    CAPTURE(mode);
    FbxText file;
    file.model(1, "strip", "Mesh", vector("Lcl Translation", 0, 3, 0));
    file.object(2, "Geometry", "Geometry::strip", "Mesh", stripMesh(), 1);
    file.model(3, "bone", "LimbNode", vector("Lcl Translation", 0, 0, 8)); // 8 from where it was
    file.object(5, "Deformer", "Deformer::", "Skin", "", 2);
    file.object(6, "Deformer", "SubDeformer::", "Cluster",
                "Mode: \"" + std::string(mode) + "\"\n" + list("Indexes", "0,1,2") +
                    list("Weights", "1,0.25,0.75") +
                    list("Transform", "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1") +
                    list("TransformLink", "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1") +
                    list("TransformAssociateModel", "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1"),
                5);
    file.connect(3, 6);
    const Model model = importFbx(file);
    const bool normalized = mode == std::string("Normalize");
    const vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    const float weights[] = {1.0f, 0.25f, 0.75f};
    for (const vec3& posed : atRest(model).positions) {
      const auto point = static_cast<std::size_t>(std::lround(posed.x));
      REQUIRE(point < 3);
      if (posed.z == 0.0f) continue; // a point without weights
      const float weight = normalized ? 1.0f : weights[point];
      const vec3 wanted = weight * (points[point] + vec3(0, 0, 8)) +
                          (1.0f - weight) * (points[point] + vec3(0, 3, 0));
      CHECK(glm::distance(posed, wanted) < 1e-5f * 8.0f); // 8: about the model's size
    }
    CHECK(anyContains(model.warnings, "1 bone of a skin moves relative to another node") ==
          (mode == std::string("Additive")));
  }
}

TEST_CASE("FBX: several additive bones of a point, and weights above 1, are reported") {
  std::string text = skinnedStrip().text();
  const std::string cluster = "\"SubDeformer::\", \"Cluster\" {\n";
  text.insert(text.find(cluster) + cluster.size(), "Mode: \"Additive\"\n");
  CHECK(anyContains(importFbx(text).warnings, "1 point is moved by several additive bones"));
  text.replace(text.find("a: 1,1,0.5"), 10, "a: 1,2,0.5");
  CHECK(anyContains(importFbx(text).warnings, "1 point has additive weights above 1"));
}

TEST_CASE("FBX: hidden meshes are not drawn") {
  FbxText file;
  file.model(1, "shown", "Mesh");
  file.object(2, "Geometry", "Geometry::a", "Mesh", stripMesh(), 1);
  file.model(3, "hidden", "Mesh", number("Visibility", 0));
  file.object(4, "Geometry", "Geometry::b", "Mesh", stripMesh(), 3);
  file.model(5, "below", "Mesh", {}, 3);
  file.object(6, "Geometry", "Geometry::c", "Mesh", stripMesh(), 5);
  file.model(7, "apart", "Mesh",
             "P: \"Visibility Inheritance\", \"Visibility Inheritance\", \"\", \"\",0\n", 3);
  file.object(8, "Geometry", "Geometry::d", "Mesh", stripMesh(), 7);
  const Model model = importFbx(file);
  REQUIRE(model.meshes.size() == 2);
  CHECK(model.meshes[0].name == "shown");
  CHECK(model.meshes[1].name == "apart");
  CHECK(anyContains(model.warnings, "2 hidden meshes are not drawn: hidden, below"));
}

TEST_CASE("FBX: where all meshes are hidden, they are drawn") {
  FbxText file;
  file.model(1, "hidden", "Mesh", number("Visibility", 0));
  file.object(2, "Geometry", "Geometry::a", "Mesh", stripMesh(), 1);
  const Model model = importFbx(file);
  REQUIRE(model.meshes.size() == 1);
  CHECK(model.meshes[0].name == "hidden");
  CHECK(anyContains(model.warnings, "all meshes are hidden: drawn all the same: hidden"));
}

TEST_CASE("FBX: blend shapes and those in between") {
  FbxText file;
  file.model(1, "strip", "Mesh");
  file.object(2, "Geometry", "Geometry::strip", "Mesh", stripMesh(), 1);
  file.object(3, "Deformer", "Deformer::face", "BlendShape", "", 2);
  file.object(4, "Deformer", "SubDeformer::face.smile", "BlendShapeChannel",
              "DeformPercent: 25\n" + list("FullWeights", "50,100"), 3);
  file.object(5, "Geometry", "Geometry::half", "Shape",
              list("Indexes", "1") + list("Vertices", "0,0,1"), 4);
  file.object(6, "Geometry", "Geometry::whole", "Shape",
              list("Indexes", "1,5") + list("Vertices", "0,0,4,0,1,0"), 4);
  addStack(file, 0.0, 2.0);
  animate(file, 110, 101, 4, "DeformPercent", {linearCurve({0, 2}, "0,150")});
  const Model model = importFbx(file);
  REQUIRE(model.morphTargets.size() == 2);
  CHECK(model.morphTargets[0].name == "smile 50 %");
  CHECK(model.morphTargets[0].weight == 0.5f);
  CHECK(model.morphTargets[1].weight == 0.0f);
  REQUIRE(model.meshes.at(0).morphs.size() == 2);
  for (const MorphOffsets& morph : model.meshes[0].morphs)
    for (std::size_t i = 0; i < morph.vertices.size(); ++i) {
      const vec3 p = model.meshes[0].positions.at(morph.vertices[i]);
      const vec3 expected = p.x == 2.0f         ? vec3(0, 1, 0)
                            : morph.target == 0 ? vec3(0, 0, 1)
                                                : vec3(0, 0, 4);
      CHECK(morph.positions[i] == expected);
    }
  REQUIRE(model.clips.size() == 1);
  REQUIRE(model.clips[0].morphs.size() == 2);
  const auto weight = [&](std::size_t target, float time) {
    const Track<float>& track = model.clips[0].morphs.at(target).weight;
    REQUIRE(track.interpolation == Interpolation::linear);
    const auto after = std::upper_bound(track.times.begin(), track.times.end(), time);
    const auto i = std::clamp<std::size_t>(static_cast<std::size_t>(after - track.times.begin()), 1,
                                           track.times.size() - 1);
    const float t = (time - track.times[i - 1]) / (track.times[i] - track.times[i - 1]);
    return track.values[i - 1] + t * (track.values[i] - track.values[i - 1]);
  };
  // 75 % a second: half at 2/3 s, whole at 4/3 s, then beyond.
  CHECK(weight(0, 1.0f / 3.0f) == doctest::Approx(0.5f));
  CHECK(weight(1, 1.0f / 3.0f) == doctest::Approx(0.0f));
  CHECK(weight(0, 1.0f) == doctest::Approx(0.5f));
  CHECK(weight(1, 1.0f) == doctest::Approx(0.5f));
  CHECK(weight(1, 2.0f) == doctest::Approx(2.0f));
}

TEST_CASE("FBX: version 6 names objects and has the mesh and its shapes in the model") {
  const std::string text = fmt::format(R"(; FBX 6.1.0 project file
FBXHeaderExtension:  {{
FBXVersion: 6100
}}
Objects:  {{
Model: "Model::strip", "Mesh" {{
Properties60:  {{
Property: "InheritType", "enum", "",1
Property: "up", "Number", "A+",50
}}
Vertices: 0,0,0,1,0,0,2,0,0
,0,1,0,1,1,0,2,1,0
PolygonVertexIndex: 0,1,4,-4,1,2,5,-5
Shape: "up" {{
Indexes: 1
Vertices: 0,0,2
}}
}}
Model: "Model::bone", "Limb" {{
Properties60:  {{
Property: "Lcl Translation", "Lcl Translation", "A+",1,0,0
}}
}}
Deformer: "Deformer::skin", "Skin" {{
}}
Deformer: "SubDeformer::bone", "Cluster" {{
Indexes: 2,5
Weights: 1,1
Transform: 1,0,0,0,0,1,0,0,0,0,1,0,-1,0,0,1
TransformLink: 1,0,0,0,0,1,0,0,0,0,1,0,1,0,0,1
}}
}}
Connections:  {{
Connect: "OO", "Model::strip", "Model::Scene"
Connect: "OO", "Model::bone", "Model::Scene"
Connect: "OO", "Deformer::skin", "Model::strip"
Connect: "OO", "SubDeformer::bone", "Deformer::skin"
Connect: "OO", "Model::bone", "SubDeformer::bone"
}}
Takes:  {{
Current: "go"
Take: "go" {{
LocalTime: 0,{0}
Model: "Model::bone" {{
Channel: "Transform" {{
Channel: "T" {{
Channel: "X" {{
Default: 1
KeyCount: 2
Key: 0,1,L,{0},3,L
}}
}}
}}
}}
Model: "Model::strip" {{
Channel: "up" {{
Default: 50
KeyCount: 2
Key: 0,0,L,{0},100,L
}}
}}
}}
}}
)",
                                       ticks(1));
  const Model model = importFbx(text);
  REQUIRE(model.meshes.size() == 1);
  REQUIRE(model.clips.size() == 1);
  CHECK(model.clips[0].name == "go");
  REQUIRE(model.morphTargets.size() == 1);
  CHECK(model.morphTargets[0].name == "up");
  CHECK(model.morphTargets[0].weight == 0.5f);
  CHECK(model.clips[0].morphs.size() == 1);
  CHECK(computeBounds(atRest(model).positions).max.x == doctest::Approx(2.0f));
  CHECK(computeBounds(posedAt(model, model.clips[0], 0.5f).positions).max.x ==
        doctest::Approx(3.0f));
  CHECK((toComparableBytes(importFbx(fbxBinary(text, {6100, false}))) == toComparableBytes(model)));
}

TEST_CASE("FBX: materials of polygons, and images within the file") {
  // A PNG of one pixel.
  const std::string png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+"
                          "M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  FbxText file;
  file.model(1, "strip", "Mesh");
  file.object(2, "Geometry", "Geometry::strip", "Mesh",
              stripMesh("LayerElementMaterial: 0 {\nMappingInformationType: \"ByPolygon\"\n"
                        "ReferenceInformationType: \"IndexToDirect\"\n" +
                        list("Materials", "1,0") +
                        "}\nLayerElementUV: 0 {\nName: \"map\"\nMappingInformationType: "
                        "\"ByVertice\"\nReferenceInformationType: \"Direct\"\n" +
                        list("UV", "0,0,0.5,0,1,0,0,1,0.5,1,1,1") + "}\n"),
              1);
  file.object(3, "Material", "Material::plain", "",
              "Properties70:  {\n" + vector("DiffuseColor", 1, 0.5, 0) +
                  number("DiffuseFactor", 0.5) + "}\n",
              1);
  file.object(4, "Material", "Material::painted", "", "", 1);
  file.object(5, "Texture", "Texture::t", "", "RelativeFilename: \"no\\such.png\"\n", 0);
  file.connect(5, 4, "DiffuseColor");
  file.object(6, "Video", "Video::t", "Clip", "Content: ,\n\"" + png + "\"\n", 5);
  const Model model = importFbx(file);
  REQUIRE(model.meshes.size() == 2);
  REQUIRE(model.materials.size() == 2);
  const Material& plain = model.materials[model.meshes[0].material];
  const Material& painted = model.materials[model.meshes[1].material];
  CHECK(plain.name == "plain");
  CHECK(plain.baseColor.x == doctest::Approx(0.5f));
  CHECK(plain.baseColor.y == doctest::Approx(0.25f));
  CHECK(painted.name == "painted");
  REQUIRE(painted.texture);
  CHECK(model.textures.at(*painted.texture).source == "embedded");
  CHECK(model.textures.at(*painted.texture).image.width == 1);
  for (const Mesh& mesh : model.meshes)
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      CHECK(mesh.texcoords[v].x == doctest::Approx(0.5f * mesh.positions[v].x));
      CHECK(mesh.texcoords[v].y == doctest::Approx(1.0f - mesh.positions[v].y));
    }
}

TEST_CASE("FBX: what is not used is listed") {
  FbxText file;
  file.model(1, "strip", "Mesh", number("RotationActive", 1) + number("RotationMinX", 1));
  file.object(2, "Geometry", "Geometry::strip", "Mesh",
              stripMesh("LayerElementUV: 0 {\n}\nLayerElementUV: 1 {\n}\nLayerElementUV: 2 "
                        "{\n}\nLayerElementNormal: 0 {\n"
                        "MappingInformationType: \"ByPolygonVertex\"\nReferenceInformationType: "
                        "\"Direct\"\n" +
                        list("Normals", "0,0,1") + "}\n"),
              1);
  file.object(3, "Constraint", "Constraint::aim", "Aim", "", 0);
  file.object(9, "ConstraintParent", "Constraint::parent", "Parent-Child", "", 0);
  file.object(4, "NodeAttribute", "NodeAttribute::c", "Light",
              "Properties70:  {\n" + number("LightType", 3) + "}\n", 0);
  file.object(5, "Geometry", "Geometry::smile", "Shape", list("Normals", "0,0,0.1"), 0);
  file.object(6, "Geometry", "Geometry::still", "Shape", list("Normals", "0,0,0"), 0);
  const Model model = importFbx(file);
  CHECK(anyContains(model.warnings, "1 set of normals of a blend shape"));
  CHECK(anyContains(model.warnings, "2 constraints"));
  CHECK(anyContains(model.warnings, "1 light of an area or a volume"));
  CHECK(anyContains(model.warnings, "1 node with limits"));
  CHECK(anyContains(model.warnings, "1 further set of texture coordinates"));
  CHECK(anyContains(model.warnings,
                    "'LayerElementNormal' of the mesh 'strip' has 1 entries and needs 8"));
}

TEST_CASE("FBX: layers within takes of version 6 are listed") {
  std::string models;
  for (const char* name : {"a", "b", "c"})
    models += fmt::format("Model: \"Model::{}\", \"LimbNode\" {{\nVersion: 232\n}}\n", name);
  const TempFolder folder;
  const Model model = importModel(folder.write(
      "t.fbx",
      "; FBX 6.1.0 project file\nFBXHeaderExtension: {\nFBXVersion: 6100\n}\nObjects: {\n" +
          models +
          "}\nTakes: {\nTake: \"walk\" {\nModel: \"Model::a\" {\nLayer: 1 {\nChannel: "
          "\"Transform\" {\n}\n}\n}\n}\n}\n"));
  CHECK(anyContains(model.warnings, "1 layer of a take"));
}

TEST_CASE("FBX: a model that is its own ancestor is an error") {
  FbxText file;
  file.model(1, "a", "Null", {}, 2);
  file.model(2, "b", "Null", {}, 1);
  CHECK(contains(catchMessage(file.text()), "its own ancestor"));
}

TEST_CASE("FBX: the limit of vertices") {
  FbxText file;
  file.model(1, "strip", "Mesh");
  file.object(2, "Geometry", "Geometry::strip", "Mesh", stripMesh(), 1);
  const TempFolder folder;
  const auto path = folder.write("t.fbx", file.text());
  ImportOptions options;
  options.maxVertices = 5;
  CHECK(importError(path, options).cause() == ErrorCause::limit);
  options.maxVertices = 6;
  CHECK(triangleCount(importModel(path, options)) == 4);
}

TEST_CASE("FBX: an image within the file that is connected to no texture is found by its name") {
  const std::string png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+"
                          "M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  FbxText file;
  file.model(1, "strip", "Mesh");
  file.object(2, "Geometry", "Geometry::strip", "Mesh", stripMesh(), 1);
  file.object(3, "Material", "Material::painted", "", "", 1);
  file.object(4, "Texture", "Texture::t", "", "RelativeFilename: \"skin.png\"\n", 0);
  file.connect(4, 3, "DiffuseColor");
  file.object(5, "Video", "Video::t", "Clip",
              "RelativeFilename: \"skin.png\"\nContent: ,\n\"" + png + "\"\n", 0);
  const Model model = importFbx(file);
  REQUIRE(model.textures.size() == 1);
  CHECK(model.textures[0].source == "embedded");
}
