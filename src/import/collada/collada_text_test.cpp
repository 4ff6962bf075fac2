// Texts of Collada files that readers refuse or take apart.
#include "import/import_test_tools.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <glm/geometric.hpp>

using namespace sinew;
using namespace sinew::test;

namespace {

// Times 0 and `end`, at which the node moves along an axis.
std::string moving(const std::string& node, const char* axis, float end) {
  return fmt::format(
      R"(<animation id="{0}-{1}"><source id="{0}-{1}-t"><float_array id="{0}-{1}-ta" count="2">0 {2}</float_array>
<technique_common><accessor source="#{0}-{1}-ta" count="2" stride="1"><param name="TIME" type="float"/></accessor></technique_common></source>
<source id="{0}-{1}-v"><float_array id="{0}-{1}-va" count="2">0 2</float_array>
<technique_common><accessor source="#{0}-{1}-va" count="2" stride="1"><param name="{1}" type="float"/></accessor></technique_common></source>
<sampler id="{0}-{1}-s"><input semantic="INPUT" source="#{0}-{1}-t"/><input semantic="OUTPUT" source="#{0}-{1}-v"/></sampler>
<channel source="#{0}-{1}-s" target="{0}/place.{1}"/></animation>)",
      node, axis, end);
}

std::string node(const std::string& name) {
  return fmt::format(
      R"(<node id="{0}" name="{0}"><translate sid="place">0 0 0</translate><instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="m" target="#m"/></technique_common></bind_material></instance_geometry></node>)",
      name);
}

std::string triangleFile(const std::string& animations, const std::string& color = "1 0 0 1") {
  return R"(<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><up_axis>Y_UP</up_axis></asset>
<library_effects><effect id="e"><profile_COMMON><technique sid="c"><lambert><diffuse><color>)" +
         color +
         R"(</color></diffuse></lambert></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m" name="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="9">0 0 0 1 0 0 0 1 0</float_array>
<technique_common><accessor source="#a" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count="1" material="m"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s">)" +
         node("one") + node("two") + "</visual_scene></library_visual_scenes>" + animations +
         R"(<scene><instance_visual_scene url="#s"/></scene></COLLADA>)";
}

std::string utf16(std::string_view text, bool littleEndian) {
  std::string out;
  const auto add = [&](char high, char low) {
    out += littleEndian ? low : high;
    out += littleEndian ? high : low;
  };
  add('\xFE', '\xFF');
  for (const char c : text)
    add('\0', c);
  return out;
}

} // namespace

TEST_CASE("collada text: UTF-16 is read, of both orders of bytes") {
  const TempFolder folder;
  for (const bool little : {true, false}) {
    CAPTURE(little);
    const Model model = importModel(folder.write("a.dae", utf16(triangleFile(""), little)));
    CHECK(triangleCount(model) == 2);
  }
}

TEST_CASE("collada text: a colour may have blanks around its numbers") {
  const TempFolder folder;
  const Model model =
      importModel(folder.write("a.dae", triangleFile("", "\n\t  0.25 0.5 0.75 1.0  \n")));
  REQUIRE(model.materials.size() == 1);
  const Model plain = importModel(folder.write("b.dae", triangleFile("", "0.25 0.5 0.75 1.0")));
  CHECK(model.materials[0].baseColor == plain.materials.at(0).baseColor);
  CHECK(model.materials[0].baseColor != Material().baseColor);
}

TEST_CASE("collada text: animations of a file without clips are one clip, whatever they move") {
  const TempFolder folder;
  const std::string animations = "<library_animations>" + moving("one", "X", 1.0f) +
                                 moving("one", "Y", 2.0f) + "<animation id=\"outer\">" +
                                 moving("two", "Z", 3.0f) + "</animation></library_animations>";
  const Model model = importModel(folder.write("a.dae", triangleFile(animations)));
  REQUIRE(model.clips.size() == 1);
  const Clip& clip = model.clips[0];
  CHECK(clip.seconds == doctest::Approx(3.0f));
  const Pose pose = sample(model.hierarchy, clip, 1.0f);
  const auto getPosition = [&](const char* name) {
    for (std::size_t n = 0; n < model.hierarchy.nodes.size(); ++n)
      if (model.hierarchy.nodes[n].name == name) return pose.parentFromNode[n].translation;
    return vec3(-1.0f);
  };
  CHECK(glm::length(getPosition("one") - vec3(2.0f, 1.0f, 0.0f)) < 1e-4f);
  CHECK(glm::length(getPosition("two") - vec3(0.0f, 0.0f, 2.0f / 3.0f)) < 1e-4f);
}

TEST_CASE("collada text: a decimal comma is a point") {
  const TempFolder folder;
  std::string text = triangleFile("", "0,25 0,5 0,75 1");
  const std::string_view axis = "<up_axis>";
  text.insert(text.find(axis), "<unit meter=\"0,0254\"/>");
  const Model model = importModel(folder.write("a.dae", text));
  const Model plain = importModel(folder.write("b.dae", triangleFile("", "0.25 0.5 0.75 1.0")));
  CHECK(model.materials.at(0).baseColor == plain.materials.at(0).baseColor);
  CHECK(model.metersPerUnit == doctest::Approx(0.0254f));
}

TEST_CASE("collada text: files of others") {
  const std::filesystem::path faults = sharedModels() / "faults";
  if (!std::filesystem::exists(faults)) return;
  CHECK(triangleCount(importModel(faults / "cube_UTF16LE.dae")) == 12);
  const Model clips = importModel(faults / "library_animation_clips.dae");
  REQUIRE(clips.clips.size() == 2);
  CHECK(clips.clips[0].name == "bend");
  CHECK(clips.clips[1].name == "turn");
}
