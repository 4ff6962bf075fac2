// Morph controllers of Collada files, against what the format's text says of the numbers in them.
#include "animation/sample.h"
#include "import/import_test_tools.h"
#include "rig/morph.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <glm/geometric.hpp>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr const char* kBase = "0 0 0  1 0 0  1 1 0  0 1 0";
constexpr const char* kTall = "0 0 0  1 0 0  1 3 0  0 3 0";
constexpr const char* kDeep = "0 0 5  1 0 0  1 1 0  0 1 0";

std::string geometry(const std::string& id, const char* positions, bool primitives) {
  std::istringstream in(positions);
  std::size_t numbers = 0;
  for (float number = 0.0f; in >> number;)
    ++numbers;
  return fmt::format(
      R"(<geometry id="{0}" name="{0} shape"><mesh><source id="{0}-p"><float_array id="{0}-a" count="{3}">{1}</float_array>
<technique_common><accessor source="#{0}-a" count="{4}" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="{0}-v"><input semantic="POSITION" source="#{0}-p"/></vertices>{2}</mesh></geometry>)",
      id, positions,
      primitives
          ? fmt::format(
                R"(<polylist count="1"><input semantic="VERTEX" source="#{0}-v" offset="0"/><vcount>4</vcount><p>0 1 2 3</p></polylist>
<triangles count="1"><input semantic="VERTEX" source="#{0}-v" offset="0"/><p>0 2 1</p></triangles>)",
                id)
          : "",
      numbers, numbers / 3);
}

std::string floats(const std::string& id, const std::string& numbers) {
  return fmt::format(
      R"(<source id="{0}"><float_array id="{0}-a" count="2">{1}</float_array></source>)", id,
      numbers);
}

// A square and a triangle; `more` goes before the scene.
std::string colladaFile(const char* method, const std::string& more = {}) {
  return R"(<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><up_axis>Y_UP</up_axis></asset>
<library_geometries>)" +
         geometry("base", kBase, true) + geometry("tall", kTall, false) +
         geometry("deep", kDeep, true) +
         fmt::format(
             R"(</library_geometries><library_controllers><controller id="c"><morph source="#base" method="{}">
<source id="c-t"><IDREF_array id="c-ta" count="2">tall deep</IDREF_array></source>)",
             method) +
         floats("c-w", "0.5 0") +
         R"(<targets><input semantic="MORPH_TARGET" source="#c-t"/><input semantic="MORPH_WEIGHT" source="#c-w"/></targets></morph></controller></library_controllers>)" +
         more +
         R"(<library_visual_scenes><visual_scene id="s"><node id="n" name="n"><instance_controller url="#c"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>)";
}

// Positions of the corners of the square and the triangle.
std::vector<vec3> corners(const Model& model, const MorphWeights& weights) {
  const Rig rig = buildRig(model);
  MorphedVertices morphed;
  applyMorphs(rig, weights, morphed);
  const BindVertices at(rig, morphed);
  std::vector<vec3> out;
  for (const Triangle& triangle : rig.triangles)
    for (const std::uint32_t v : triangle)
      out.push_back(at.positions[v]);
  return out;
}

vec3 getPosition(const char* positions, std::size_t vertex) {
  std::istringstream in(positions);
  vec3 out(0.0f);
  for (std::size_t i = 0; i <= vertex; ++i)
    in >> out.x >> out.y >> out.z;
  return out;
}

} // namespace

TEST_CASE("Collada: morph controllers, normalised and relative") {
  const TempFolder folder;
  for (const bool relative : {false, true}) {
    CAPTURE(relative);
    const Model model =
        importModel(folder.write("m.dae", colladaFile(relative ? "RELATIVE" : "NORMALIZED")));
    CHECK(model.warnings.empty());
    CHECK(model.hierarchy.nodes.size() <= 3); // nothing of the targets' nodes
    REQUIRE(model.morphTargets.size() == 2);
    CHECK(model.morphTargets[0].name == "tall shape");
    CHECK(model.morphTargets[0].weight == 0.5f);
    CHECK(model.morphTargets[1].name == "deep shape");
    for (const Mesh& mesh : model.meshes)
      CHECK(mesh.name.find("sinew") == std::string::npos);
    for (const MorphWeights& weights :
         {MorphWeights{0, 0}, MorphWeights{1, 0}, MorphWeights{0.25f, 0.5f}, MorphWeights{-1, 2}}) {
      const std::vector<vec3> before = corners(model, {0, 0});
      const std::vector<vec3> after = corners(model, weights);
      REQUIRE(after.size() == 9);
      for (std::size_t c = 0; c < after.size(); ++c) {
        std::size_t vertex = 0;
        while (vertex < 3 && before[c] != getPosition(kBase, vertex))
          ++vertex;
        vec3 wanted = getPosition(kBase, vertex);
        CHECK(before[c] == wanted);
        const vec3 from = relative ? vec3(0.0f) : wanted;
        wanted += weights[0] * (getPosition(kTall, vertex) - from) +
                  weights[1] * (getPosition(kDeep, vertex) - from);
        CHECK(glm::distance(after[c], wanted) < 1e-6f);
      }
    }
  }
}

TEST_CASE("Collada: a morph controller that nothing refers to is of its mesh") {
  const TempFolder folder;
  std::string text = colladaFile("NORMALIZED");
  const std::string_view shown = R"(instance_controller url="#c")";
  text.replace(text.find(shown), shown.size(), R"(instance_geometry url="#base")");
  CHECK(importModel(folder.write("m.dae", text)).morphTargets.size() == 2);
}

TEST_CASE("Collada: weights of morph targets move in clips, along lines, steps and curves") {
  const auto sampler = [](const char* name, const char* target, const char* kinds,
                          const std::string& tangents) {
    return fmt::format(
        R"(<animation id="{0}">{1}{2}<source id="{0}-k"><Name_array id="{0}-ka" count="2">{3}</Name_array></source>{4}
<sampler id="{0}-s"><input semantic="INPUT" source="#{0}-i"/><input semantic="OUTPUT" source="#{0}-o"/><input semantic="INTERPOLATION" source="#{0}-k"/>{5}</sampler><channel source="#{0}-s" target="{6}"/></animation>)",
        name, floats(std::string(name) + "-i", "1 3"),
        floats(std::string(name) + "-o", "0.25 0.75"), kinds, tangents,
        tangents.empty()
            ? ""
            : fmt::format(
                  R"(<input semantic="IN_TANGENT" source="#{0}-in"/><input semantic="OUT_TANGENT" source="#{0}-out"/>)",
                  name),
        target);
  };
  const TempFolder folder;
  const auto animated = [&](const std::string& animations) {
    return importModel(folder.write(
        "m.dae",
        colladaFile("NORMALIZED", "<library_animations>" + animations + "</library_animations>")));
  };
  const auto weights = [&](const std::string& animations, float time) {
    const Model model = animated(animations);
    REQUIRE(model.clips.size() == 1);
    CHECK(model.warnings.empty());
    return sample(model, model.clips[0], time).morphWeights;
  };
  const std::string line = sampler("a", "c-w(1)", "LINEAR LINEAR", "");
  CHECK(weights(line, 0.0f) == MorphWeights{0.5f, 0.25f});
  CHECK(weights(line, 2.0f)[1] == doctest::Approx(0.5f));
  CHECK(weights(line, 3.0f)[1] == 0.75f);
  const std::string step = sampler("a", "c/c-w(0)", "STEP STEP", "");
  CHECK(weights(step, 2.9f)[0] == 0.25f);
  CHECK(weights(step, 3.0f)[0] == 0.75f);
  // Slow at both ends: 3 s^2 - 2 s^3 of the way.
  const std::string curve = sampler("a", "c-w(1)", "BEZIER BEZIER",
                                    floats("a-in", "0.333333 0.25 2.333333 0.75") +
                                        floats("a-out", "1.666667 0.25 3.666667 0.75"));
  for (const float s : {0.1f, 0.25f, 0.5f, 0.8f})
    CHECK(weights(curve, 1.0f + 2.0f * s)[1] ==
          doctest::Approx(0.25 + 0.5 * (3 * s * s - 2 * s * s * s)).epsilon(1e-5));
  for (const char* target : {"c-w(2)", "c-w(18446744073709551615)"})
    CHECK(contains(animated(sampler("a", target, "LINEAR LINEAR", "")).warnings.at(0),
                   "does not fit its targets"));
}

TEST_CASE("Collada: a morph controller that does not fit is said, and the mesh stays") {
  const TempFolder folder;
  std::string text = colladaFile("NORMALIZED");
  const std::string tall = geometry("tall", kTall, false);
  text.replace(text.find(tall), tall.size(), geometry("tall", "1 2 3", false));
  const Model model = importModel(folder.write("m.dae", text));
  CHECK(!model.meshes.empty());
  REQUIRE(!model.warnings.empty());
  CHECK(contains(model.warnings[0], "target 'tall' has not as many positions"));
}
