// Collada files, each rule against what the format's text says of it.
#include "import/collada/collada_test_file.h"
#include "import/import_test_tools.h"

#include <doctest/doctest.h>
#include <glm/ext/quaternion_trigonometric.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

Model readDae(const std::string& text) {
  const TempFolder folder;
  return importModel(folder.write("a.dae", text));
}

mat4 placeOfNode(const Model& model, const char* name, const Pose& pose) {
  const auto node = findNode(model.hierarchy, name);
  REQUIRE(node);
  return modelFromNodes(model.hierarchy, pose)[*node];
}
mat4 placeAtTime(const Model& model, const char* name, float time) {
  REQUIRE(!model.clips.empty());
  return placeOfNode(model, name, sample(model.hierarchy, model.clips[0], time));
}
mat4 restPlace(const Model& model, const char* name) {
  return placeOfNode(model, name, restPose(model.hierarchy));
}

float matrixGap(const mat4& a, const mat4& b) {
  float largest = 0.0f;
  for (int c = 0; c < 4; ++c)
    for (int r = 0; r < 4; ++r)
      largest = std::max(largest, std::abs(a[c][r] - b[c][r]));
  return largest;
}

std::string shownNode(const std::string& transforms, const std::string& more = {}) {
  return R"(<node id="n" name="n">)" + transforms + R"(<instance_geometry url="#g"/>)" + more +
         "</node>";
}

// The corners of all triangles, one after another.
std::vector<vec3> triangleCorners(const Model& model) {
  std::vector<vec3> out;
  for (const Mesh& mesh : model.meshes)
    for (const Triangle& triangle : mesh.triangles)
      for (const std::uint32_t v : triangle)
        out.push_back(mesh.positions[v]);
  return out;
}

double areaOfTriangles(const std::vector<vec3>& corners) {
  vec3 sum(0.0f);
  for (std::size_t i = 0; i + 2 < corners.size(); i += 3)
    sum += glm::cross(corners[i + 1] - corners[i], corners[i + 2] - corners[i]);
  return 0.5 * glm::length(sum);
}

constexpr float kHalfRoot = 0.70710678f;

} // namespace

TEST_CASE("Collada: transforms of nodes, one after another") {
  const std::string mesh = colladaTriangle();
  const auto rest = [&](const std::string& transforms) {
    return restPlace(readDae(colladaWhole(mesh, shownNode(transforms))), "n");
  };
  const mat4 moved = glm::translate(mat4(1.0f), vec3(1, 2, 3));
  CHECK(matrixGap(rest("<translate>1 2 3</translate>"), moved) < 1e-6f);
  const mat4 turned = glm::rotate(mat4(1.0f), glm::half_pi<float>(), vec3(0, 0, 1));
  CHECK(matrixGap(rest("<rotate>0 0 2 90</rotate>"), turned) < 1e-6f);
  CHECK(matrixGap(rest("<translate>1 2 3</translate><rotate>0 0 1 90</rotate>"), moved * turned) <
        1e-6f);
  CHECK(matrixGap(rest("<rotate>0 0 1 90</rotate><translate>1 2 3</translate>"), turned * moved) <
        1e-6f);
  CHECK(matrixGap(rest("<scale>1 2 3</scale>"), glm::scale(mat4(1.0f), vec3(1, 2, 3))) < 1e-6f);
  CHECK(matrixGap(rest("<matrix>0 -1 0 5 1 0 0 6 0 0 1 7 0 0 0 1</matrix>"),
                  glm::translate(mat4(1.0f), vec3(5, 6, 7)) * turned) < 1e-6f);
  // From the eye along -Z.
  const mat4 looking = rest("<lookat>0 0 5 3 0 5 0 1 0</lookat>");
  CHECK(glm::distance(vec3(looking[3]), vec3(0, 0, 5)) < 1e-6f);
  CHECK(glm::distance(-vec3(looking[2]), vec3(1, 0, 0)) < 1e-6f);
  CHECK(glm::distance(vec3(looking[1]), vec3(0, 1, 0)) < 1e-6f);
  // The format's own example: 45 degrees along X by a turn about Y, x' = x + y.
  mat4 skewed(1.0f);
  skewed[1][0] = 1.0f;
  CHECK(matrixGap(rest("<skew>45 0 1 0 1 0 0</skew>"), skewed) < 1e-6f);
}

TEST_CASE("Collada: axes are turned upright, and the unit is named and kept") {
  const auto read = [&](const char* axis) {
    return readDae(
        colladaWhole(colladaTriangle(), shownNode("<translate>1 2 3</translate>"),
                     fmt::format(R"(<unit meter="0.01"/><up_axis> {} </up_axis>)", axis)));
  };
  CHECK(read("Y_UP").metersPerUnit == doctest::Approx(0.01f));
  CHECK(glm::distance(vec3(restPlace(read("Y_UP"), "n")[3]), vec3(1, 2, 3)) < 1e-6f);
  CHECK(glm::distance(vec3(restPlace(read("Z_UP"), "n")[3]), vec3(1, 3, -2)) < 1e-6f);
  CHECK(glm::distance(vec3(restPlace(read("X_UP"), "n")[3]), vec3(-2, 1, 3)) < 1e-6f);
}

TEST_CASE("Collada: polygons, strips and fans of one square") {
  const std::string square = "0 0 0 1 0 0 1 1 0 0 1 0";
  const auto corners = [&](const std::string& primitive) {
    return triangleCorners(readDae(colladaWhole(colladaMesh(square, primitive), shownNode(""))));
  };
  const std::string in = kColladaVertex;
  for (const std::string& each :
       {"<triangles count=\"2\">" + in + "<p>0 1 2 0 2 3</p></triangles>",
        "<polylist count=\"1\">" + in + "<vcount>4</vcount><p>0 1 2 3</p></polylist>",
        "<polygons count=\"2\">" + in + "<p>0 1 2</p><p>0 2 3</p></polygons>",
        "<polygons count=\"1\">" + in + "<ph><p>0 1 2 3</p></ph></polygons>",
        "<tristrips count=\"1\">" + in + "<p>0 1 3 2</p></tristrips>",
        "<trifans count=\"1\">" + in + "<p>0 1 2 3</p></trifans>"}) {
    CAPTURE(each);
    const std::vector<vec3> all = corners(each);
    REQUIRE(all.size() == 6);
    CHECK(areaOfTriangles(all) == doctest::Approx(1.0)); // both wound alike
    CHECK(glm::cross(all[1] - all[0], all[2] - all[0]).z > 0.0f);
  }
  // Indices that do not exist drop their polygon alone.
  const Model model = readDae(colladaWhole(
      colladaMesh(square, "<triangles count=\"2\">" + in + "<p>0 1 2 0 2 4</p></triangles>"),
      shownNode("")));
  CHECK(triangleCount(model) == 1);
  CHECK(anyContains(model.repairs, "a vertex that does not exist"));
}

TEST_CASE("Collada: holes of polygons are cut out") {
  // A square of side 4 with two holes of 1 and 2; the corners of the second are wound like it.
  const std::string points = "0 0 0 4 0 0 4 4 0 0 4 0  1 1 0 1 2 0 2 2 0 2 1 0 "
                             "2.5 1 0 3.5 1 0 3.5 3 0 2.5 3 0";
  const std::string normals = colladaNumberSource("n", "0 0 1 0 0.6 0.8", 3);
  const auto read = [&](const std::string& second) {
    const std::string polygons =
        std::string("<polygons count=\"1\">") + kColladaVertex +
        R"(<input semantic="NORMAL" source="#n" offset="1"/><ph><p>0 0 1 0 2 0 3 0</p><h>4 1 5 1 6 1 7 1</h>)" +
        second + "</ph></polygons>";
    return readDae(colladaWhole(colladaMesh(points, polygons, normals), shownNode("")));
  };
  const Model model = read("<h>8 1 9 1 10 1 11 1</h>");
  const std::vector<vec3> corners = triangleCorners(model);
  CHECK(areaOfTriangles(corners) == doctest::Approx(13.0));
  for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
    CHECK(glm::cross(corners[i + 1] - corners[i], corners[i + 2] - corners[i]).z > 0.0f);
    const vec3 middle = (corners[i] + corners[i + 1] + corners[i + 2]) / 3.0f;
    CHECK_FALSE((middle.x > 1 && middle.x < 2 && middle.y > 1 && middle.y < 2));
    CHECK_FALSE((middle.x > 2.5f && middle.x < 3.5f && middle.y > 1 && middle.y < 3));
  }
  const Mesh& mesh = model.meshes.at(0);
  CHECK(mesh.positions.size() == 12); // none twice
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const bool ofHole = mesh.positions[v].x > 0.5f && mesh.positions[v].x < 3.8f;
    CHECK(glm::distance(mesh.normals[v], ofHole ? vec3(0, 0.6f, 0.8f) : vec3(0, 0, 1)) < 1e-6f);
  }
  CHECK_FALSE(anyContains(model.warnings, "hole"));
  // A corner that does not exist drops its hole alone.
  const Model partly = read("<h>8 1 9 1 99 1 11 1</h>");
  CHECK(areaOfTriangles(triangleCorners(partly)) == doctest::Approx(15.0));
  CHECK(anyContains(partly.repairs, "a vertex that does not exist"));
  // A hole outside is named.
  const std::string outside = "<polygons count=\"1\">" + std::string(kColladaVertex) +
                              "<ph><p>4 7 6 5</p><h>8 9 10</h></ph></polygons>";
  const Model whole = readDae(colladaWhole(colladaMesh(points, outside), shownNode("")));
  CHECK(areaOfTriangles(triangleCorners(whole)) == doctest::Approx(1.0));
  CHECK(anyContains(whole.warnings, "1 hole that cannot be cut out of its polygon"));
}

TEST_CASE("Collada: each input by its own offset, and the set that the material is painted by") {
  const std::string sources =
      colladaNumberSource("n", "0 0 1", 3) + colladaNumberSource("t", "0 0 1 0 0 1", 2) +
      colladaNumberSource("u", "0.5 0.25 0.5 0.5", 2) + colladaNumberSource("c", "1 0 0 0 1 0", 3);
  const std::string primitive =
      std::string(R"(<triangles count="1" material="sym">)") + kColladaVertex +
      R"(<input semantic="NORMAL" source="#n" offset="1"/><input semantic="TEXCOORD" source="#t" offset="2" set="0"/><input semantic="TEXCOORD" source="#u" offset="3" set="4"/><input semantic="COLOR" source="#c" offset="3"/>
<p>0 0 0 1  1 0 1 1  2 0 2 0</p></triangles>)";
  const std::string material =
      R"(<library_images><image id="i"><init_from>no%20such.png</init_from></image></library_images>
<library_effects><effect id="e"><profile_COMMON><newparam sid="s"><surface type="2D"><init_from>i</init_from></surface></newparam><newparam sid="p"><sampler2D><source>s</source></sampler2D></newparam>
<technique sid="c"><phong><diffuse><texture texture="p" texcoord="PAINT"/></diffuse><transparent opaque="RGB_ZERO"><color>0.25 0.25 0.25 1</color></transparent><transparency><float>1</float></transparency></phong></technique>
<extra><technique profile="X"><double_sided>1</double_sided></technique></extra></profile_COMMON></effect></library_effects><library_materials><material id="m" name="skin"><instance_effect url="#e"/></material></library_materials>)";
  const std::string shown =
      R"(<node id="n" name="n"><instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="sym" target="#m"><bind_vertex_input semantic="PAINT" input_semantic="TEXCOORD" input_set="4"/></instance_material></technique_common></bind_material></instance_geometry></node>)";
  const std::string text =
      colladaWhole(material + colladaMesh("0 0 0 1 0 0 0 1 0", primitive, sources), shown);
  const Model model = readDae(text);
  REQUIRE(model.meshes.size() == 1);
  const Mesh& mesh = model.meshes[0];
  CHECK(mesh.name == "shape");
  REQUIRE(mesh.texcoords.size() == 3);
  REQUIRE(mesh.texcoords1.size() == 3);
  REQUIRE(mesh.colors.size() == 3);
  for (std::size_t v = 0; v < 3; ++v) {
    const bool last = mesh.positions[v].y > 0.5f;
    CHECK(mesh.normals[v] == vec3(0, 0, 1));
    CHECK(glm::distance(mesh.texcoords[v], vec2(0.5f, last ? 0.75f : 0.5f)) < 1e-6f);
    CHECK(glm::distance(mesh.texcoords1[v], vec2(mesh.positions[v].x, 1.0f - mesh.positions[v].y)) <
          1e-6f);
    CHECK(mesh.colors[v] == (last ? vec4(1, 0, 0, 1) : vec4(0, 1, 0, 1)));
  }
  REQUIRE(model.materials.size() == 1);
  const Material& skin = model.materials[0];
  CHECK(skin.name == "skin");
  CHECK(skin.doubleSided);
  CHECK(skin.baseColor.w == doctest::Approx(0.75f));
  REQUIRE(skin.texture);
  CHECK(model.textures.at(*skin.texture).path == "no such.png");
  // Version 1.5 names the image in the sampler.
  std::string newer = text;
  const std::string_view from = "<source>s</source>";
  newer.replace(newer.find(from), from.size(), R"(<instance_image url="#i"/>)");
  const std::string_view file = "<init_from>no%20such.png</init_from>";
  newer.replace(newer.find(file), file.size(), "<init_from><ref>other.png</ref></init_from>");
  const Model second = readDae(newer);
  REQUIRE(second.materials.at(0).texture);
  CHECK(second.textures.at(*second.materials[0].texture).path == "other.png");
}

TEST_CASE("Collada: a skin follows its joints by sid or id, with every influence") {
  // Six joints in a row along X, the last one bound under its id.
  constexpr int kJoints = 6;
  std::string nodes, ends, sids, ids, binds;
  for (int j = 0; j < kJoints; ++j) {
    nodes += fmt::format(
        R"(<node id="joint-{0}" sid="bone{0}" name="Bone {0}" type="JOINT"><translate sid="t">1 0 0</translate><rotate sid="r">0 0 1 0</rotate>)",
        j);
    ends += "</node>";
    sids += fmt::format("bone{} ", j);
    ids += fmt::format("joint-{} ", j);
    binds += fmt::format("1 0 0 -{} 0 1 0 0 0 0 1 0 0 0 0 1 ", j + 1);
  }
  const auto file = [&](bool byId, const std::string& names) {
    return colladaWhole(
        colladaTriangle("1 0 0 2 1 0 3 0 0") +
            R"(<library_controllers><controller id="c"><skin source="#g"><bind_shape_matrix>2 0 0 0 0 2 0 0 0 0 2 0 0 0 0 1</bind_shape_matrix>)" +
            colladaNameSource("j", names, byId ? "IDREF_array" : "Name_array") +
            colladaNumberSource("b", binds, 16) + colladaNumberSource("w", "1 0.1 0.2 0.3", 1) +
            R"(<joints><input semantic="JOINT" source="#j"/><input semantic="INV_BIND_MATRIX" source="#b"/></joints>
<vertex_weights count="3"><input semantic="JOINT" source="#j" offset="1"/><input semantic="WEIGHT" source="#w" offset="0"/><vcount>1 6 1</vcount><v>0 0  1 0 1 1 1 2 1 3 3 4 3 5  0 2</v></vertex_weights></skin></controller></library_controllers>
<library_animations>)" +
            colladaKeys("a", "joint-1/r.ANGLE", "0 1", "0 90", 1) + "</library_animations>",
        nodes + ends +
            R"(<node id="shown"><instance_controller url="#c"><skeleton>#joint-0</skeleton></instance_controller></node>)");
  };
  for (const bool byId : {false, true}) {
    CAPTURE(byId);
    const Model model = readDae(file(byId, byId ? ids : sids));
    REQUIRE(model.meshes.size() == 1);
    REQUIRE(model.meshes[0].skin);
    std::size_t largest = 0;
    for (std::size_t v = 0; v < model.meshes[0].influences.count(); ++v)
      largest = std::max(largest, model.meshes[0].influences.of(v).size());
    CHECK(largest == 6);
    // v' = sum of w M(j) B(j)^-1 S v, with all joints behind the second turned about (2, 0, 0).
    const SkinnedMesh posed = posedAt(model, model.clips.at(0), 1.0f);
    REQUIRE(posed.positions.size() == 3);
    const auto turned = [](const vec3& p) { return vec3(2.0f - p.y, p.x - 2.0f, p.z); };
    const vec3 first(2, 0, 0), second(4, 2, 0), third(6, 0, 0);
    for (const vec3& wanted : {first, 0.1f * second + 0.9f * turned(second), turned(third)}) {
      float nearest = 1e9f;
      for (const vec3& p : posed.positions)
        nearest = std::min(nearest, glm::distance(p, wanted));
      CHECK(nearest < 1e-5f * computeBounds(posed.positions).size());
    }
  }
  // A joint that no node has gets one where it was bound.
  std::string other = sids;
  other.replace(other.find("bone5"), 5, "gone");
  const Model model = readDae(file(false, other));
  CHECK(anyContains(model.repairs, "bone"));
  CHECK(glm::distance(vec3(restPlace(model, "gone")[3]), vec3(3, 0, 0)) < 1e-5f);
}

TEST_CASE("Collada: components of transforms move as their curves do") {
  const auto animated = [](const std::string& animations, const std::string& clips = {}) {
    return readDae(colladaWhole(
        colladaTriangle() + "<library_animations>" + animations + "</library_animations>" + clips,
        shownNode(
            R"(<translate sid="t">1 2 3</translate><rotate sid="z">0 0 1 0</rotate><rotate sid="x">1 0 0 0</rotate><scale sid="s">1 1 1</scale>)")));
  };
  // Two whole turns between two keys.
  const Model spins = animated(colladaKeys("a", "n/z.ANGLE", "0 2", "0 720", 1));
  for (const float t : {0.0f, 0.1f, 0.37f, 0.5f, 1.3f, 1.9f}) {
    const mat4 wanted = glm::rotate(glm::translate(mat4(1.0f), vec3(1, 2, 3)),
                                    glm::radians(360.0f * t), vec3(0, 0, 1));
    CHECK(matrixGap(placeAtTime(spins, "n", t), wanted) < 1e-5f);
  }
  // Two angles at once, and a third of the translation, in nested animations.
  const Model both =
      animated("<animation id=\"outer\">" + colladaKeys("a", "n/z.ANGLE", "0 1", "0 90", 1) +
               "<animation>" + colladaKeys("b", "n/x.ANGLE", "0 2", "0 90", 1) +
               "</animation></animation>" + colladaKeys("c", "n/t.Y", "0.5 1.5", "2 6", 1));
  REQUIRE(both.clips.size() == 1);
  CHECK(both.clips[0].seconds == doctest::Approx(2.0f));
  for (const float t : {0.0f, 0.3f, 0.6f, 1.2f, 1.7f}) {
    const float y = 2.0f + 4.0f * std::clamp(t - 0.5f, 0.0f, 1.0f);
    mat4 wanted = glm::translate(mat4(1.0f), vec3(1, y, 3));
    wanted = glm::rotate(wanted, glm::radians(90.0f * std::min(t, 1.0f)), vec3(0, 0, 1));
    wanted = glm::rotate(wanted, glm::radians(45.0f * t), vec3(1, 0, 0));
    CHECK(matrixGap(placeAtTime(both, "n", t), wanted) < 1e-5f);
  }
  // Steps, and a vector of three numbers.
  const Model steps =
      animated(colladaKeys("a", "n/t", "0 1 2", "0 0 0 1 1 1 5 5 5", 3, "STEP STEP STEP"));
  CHECK(placeAtTime(steps, "n", 0.99f)[3].x == 0.0f);
  CHECK(placeAtTime(steps, "n", 1.5f)[3].y == 1.0f);
  CHECK(placeAtTime(steps, "n", 2.0f)[3].z == 5.0f);
  // A Bezier curve at whose thirds of time the control points lie, and Hermite's with the same
  // slopes: x = 3 s^2 - 2 s^3.
  const std::string tangents[2][2] = {{"-0.333333 0 0.666667 1", "0.333333 0 1.333333 1"},
                                      {"1 0 1 0", "1 0 1 0"}};
  for (const int hermite : {0, 1}) {
    CAPTURE(hermite);
    const Model curve = animated(colladaKeys("a", "n/t.X", "0 1", "0 1", 1,
                                             hermite ? "HERMITE HERMITE" : "BEZIER BEZIER",
                                             tangents[hermite][0], tangents[hermite][1]));
    for (const float s : {0.1f, 0.25f, 0.5f, 0.8f})
      CHECK(placeAtTime(curve, "n", s)[3].x ==
            doctest::Approx(3 * s * s - 2 * s * s * s).epsilon(1e-5));
  }
  // What animates neither nodes nor morph weights is named.
  CHECK(anyContains(animated(colladaKeys("a", "m/color.R", "0 1", "0 1", 1) +
                             colladaKeys("b", "n/z.ANGLE", "0 1", "0 1", 1))
                        .repairs,
                    "channel"));
  CHECK(anyContains(animated(colladaKeys("a", "n/q.X", "0 1", "0 1", 1) +
                             colladaKeys("b", "n/z.ANGLE", "0 1", "0 1", 1))
                        .warnings,
                    "animation of something other than nodes"));
}

TEST_CASE("Collada: B-splines and cardinal splines of keys") {
  const auto animated = [](const std::string& times, const std::string& values,
                           const std::string& kinds) {
    return readDae(colladaWhole(colladaTriangle() + "<library_animations>" +
                                    colladaKeys("a", "n/t.X", times, values, 1, kinds) +
                                    "</library_animations>",
                                shownNode(R"(<translate sid="t">0 0 0</translate>)")));
  };
  using Four = std::array<double, 4>;
  // The formulas of both kinds, for four numbers.
  const auto bspline = [](const Four& p, double s) {
    const double r = 1.0 - s;
    return (r * r * r * p[0] + (3 * s * s * s - 6 * s * s + 4) * p[1] +
            (3 * r * r * r - 6 * r * r + 4) * p[2] + s * s * s * p[3]) /
           6.0;
  };
  const auto cardinal = [](const Four& p, double s) {
    return p[1] + 0.5 * s *
                      (p[2] - p[0] +
                       s * (2 * p[0] - 5 * p[1] + 4 * p[2] - p[3] +
                            s * (3 * (p[1] - p[2]) + p[3] - p[0])));
  };
  for (const bool even : {true, false}) {
    const std::array<double, 6> times = even ? std::array<double, 6>{-1, 0, 1, 2, 3, 4}
                                             : std::array<double, 6>{-1, 0, 1, 2.5, 3, 3.5};
    const std::array<double, 6> values = {-0.5, 0, 0.5, -0.25, 1, 2.25}; // the ends go on straight
    const std::string given = even ? "0 1 2 3" : "0 1 2.5 3";
    const Model near = animated(given, "0 0.5 -0.25 1", "BSPLINE BSPLINE BSPLINE BSPLINE");
    const Model through = animated(given, "0 0.5 -0.25 1", "CARDINAL CARDINAL CARDINAL CARDINAL");
    CHECK_FALSE(anyContains(near.warnings, "keys of an unknown kind"));
    CHECK_FALSE(anyContains(through.warnings, "keys of an unknown kind"));
    for (std::size_t i = 0; i < 3; ++i)
      for (const double s : {0.0, 0.2, 0.5, 0.9, 1.0}) {
        CAPTURE(i);
        CAPTURE(s);
        const auto four = [&](const std::array<double, 6>& all) {
          return Four{all[i], all[i + 1], all[i + 2], all[i + 3]};
        };
        const auto check = [&](const Model& model, const auto& formula) {
          const auto time = static_cast<float>(formula(four(times), s));
          CHECK(placeAtTime(model, "n", time)[3].x ==
                doctest::Approx(formula(four(values), s)).epsilon(2e-5));
        };
        check(near, bspline);
        check(through, cardinal);
      }
  }
  // Among other kinds the curve meets its neighbours at keys.
  const Model mixed = animated("0 1 2 3 4", "0 0 3 0 0", "LINEAR BSPLINE BSPLINE STEP STEP");
  CHECK(placeAtTime(mixed, "n", 1.0f)[3].x == doctest::Approx(0.0f));
  CHECK(placeAtTime(mixed, "n", 2.0f)[3].x == doctest::Approx(2.0f));
  CHECK(placeAtTime(mixed, "n", 3.5f)[3].x == doctest::Approx(0.0f));
  // Others are named, and lines are played.
  const Model other = animated("0 1", "0 4", "TCB TCB");
  CHECK(anyContains(other.warnings, "1 curve of keys of an unknown kind (lines are played)"));
  CHECK(placeAtTime(other, "n", 0.25f)[3].x == doctest::Approx(1.0f));
}

TEST_CASE("Collada: whole matrices, their numbers one by one, and clips") {
  const std::string turned = fmt::format("{0} -{0} 0 4 {0} {0} 0 0 0 0 1 0 0 0 0 1", kHalfRoot);
  const std::string keys = colladaKeys(
      "a", "n/m", "0 1 3", "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 " + turned + " " + turned, 16);
  const std::string node = shownNode(R"(<matrix sid="m">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>)");
  const Model whole = readDae(colladaWhole(
      colladaTriangle() + "<library_animations>" + keys + "</library_animations>", node));
  const mat4 half =
      glm::rotate(glm::translate(mat4(1.0f), vec3(2, 0, 0)), glm::radians(22.5f), vec3(0, 0, 1));
  CHECK(matrixGap(placeAtTime(whole, "n", 0.5f), half) < 1e-5f);
  CHECK(whole.clips[0].channels.at(0).rotation.times.size() == 3); // the file's own keys
  const Model one = readDae(colladaWhole(colladaTriangle() + "<library_animations>" +
                                             colladaKeys("a", "n/m(3)(1)", "0 1", "0 8", 1) +
                                             "</library_animations>",
                                         node));
  CHECK(glm::distance(vec3(placeAtTime(one, "n", 0.25f)[3]), vec3(0, 2, 0)) < 1e-5f);
  // Clips begin where they say, and what none of them plays is one more.
  const Model clips = readDae(colladaWhole(
      colladaTriangle() + "<library_animations>" + keys +
          colladaKeys("b", "n/m(3)(1)", "0 1", "0 8", 1) +
          R"(</library_animations><library_animation_clips><animation_clip id="late" start="0.5" end="2"><instance_animation url="#a"/></animation_clip></library_animation_clips>)",
      node));
  REQUIRE(clips.clips.size() == 2);
  CHECK(clips.clips[0].name == "late");
  CHECK(clips.clips[0].seconds == doctest::Approx(1.5f));
  CHECK(matrixGap(placeAtTime(clips, "n", 0.0f), half) < 1e-5f);
  CHECK(clips.clips[1].name == "b");
}

TEST_CASE("Collada: nodes that others are instances of move in every place") {
  const Model model = readDae(colladaWhole(
      colladaTriangle() +
          R"(<library_nodes><node id="part" name="part"><rotate sid="z">0 0 1 0</rotate><instance_geometry url="#g"/></node></library_nodes><library_animations>)" +
          colladaKeys("a", "part/z.ANGLE", "0 1", "0 90", 1) + "</library_animations>",
      R"(<node id="l" name="l"><translate>1 0 0</translate><instance_node url="#part"/></node><node id="r" name="r"><translate>-1 0 0</translate><instance_node url="#part"/></node>)"));
  CHECK(model.meshes.size() == 2);
  CHECK(model.clips.at(0).channels.size() == 2);
  CHECK(glm::distance(vec3(placeAtTime(model, "part (2)", 1.0f) * vec4(1, 0, 0, 1)),
                      vec3(-1, 1, 0)) < 1e-5f);
}

TEST_CASE("Collada: what is no such file is one error") {
  const TempFolder folder;
  const auto complaint = [&](const std::string& text) {
    return std::string(importError(folder.write("a.dae", text)).what());
  };
  CHECK(contains(complaint("<COLLADA><asset>"), "not a usable Collada file"));
  CHECK(contains(complaint("<other/>"), "it has no element COLLADA"));
  CHECK(contains(complaint("<COLLADA/>"), "it has no visual scene"));
  // 100,000 elements within one another end in the same way.
  std::string deep = "<COLLADA>";
  for (int i = 0; i < 100'000; ++i)
    deep += "<a id=\"x\">";
  for (int i = 0; i < 100'000; ++i)
    deep += "</a>";
  CHECK(contains(complaint(deep + "</COLLADA>"), "it has no visual scene"));
}

namespace {

std::string replacedIn(std::string text, const std::string& part, const std::string& by) {
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), by);
}

} // namespace

TEST_CASE("Collada: indices without an input, or far beyond all, are left out") {
  const std::string whole = skinnedTriangle();
  const std::string joint = R"(<input semantic="JOINT" source="#j" offset="0"/>)";
  const std::string weight = R"(<input semantic="WEIGHT" source="#w" offset="1"/>)";
  // The bone without weights keeps the mesh, which is then rigid or follows it alone.
  CHECK(readDae(replacedIn(replacedIn(whole, joint, ""), weight, "")).meshes.size() == 1);
  CHECK(readDae(replacedIn(replacedIn(replacedIn(whole, joint, ""), weight, ""),
                           "<v>0 0 0 0 0 0</v>", "<v></v>"))
            .meshes.size() == 1);
  const Model plain = readDae(whole);
  const std::string vertex = "<input semantic=\"VERTEX\"";
  const std::size_t offset = whole.find("offset=\"", whole.find(vertex));
  REQUIRE(offset < whole.size());
  std::string far = whole;
  far.insert(offset + 8, "400000000"); // the offset of the corners
  CHECK(readDae(far).meshes.size() < plain.meshes.size());
  far = replacedIn(whole, vertex,
                   R"(<input semantic="NORMAL" source="#w" offset="4000000000"/>)" + vertex);
  CHECK(readDae(far).meshes.size() == plain.meshes.size());
}
