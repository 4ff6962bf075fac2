// Collada files written for one test.
#pragma once

#include <fmt/format.h>

#include <sstream>
#include <string>

namespace sinew::test {

inline std::size_t wordCount(const std::string& text) {
  std::istringstream in(text);
  std::size_t count = 0;
  for (std::string word; in >> word;)
    ++count;
  return count;
}

// A <source> of numbers, so many of each thing.
inline std::string colladaNumberSource(const std::string& id, const std::string& numbers,
                                       std::size_t width) {
  std::string params;
  for (std::size_t i = 0; i < width; ++i)
    params += fmt::format(R"(<param name="P{}" type="float"/>)", i);
  const std::size_t count = wordCount(numbers);
  return fmt::format(
      R"(<source id="{0}"><float_array id="{0}-array" count="{1}">{2}</float_array><technique_common><accessor source="#{0}-array" count="{3}" stride="{4}">{5}</accessor></technique_common></source>)",
      id, count, numbers, count / width, width, params);
}

inline std::string colladaNameSource(const std::string& id, const std::string& names,
                                     const char* element = "Name_array") {
  return fmt::format(R"(<source id="{0}"><{1} id="{0}-array" count="{2}">{3}</{1}></source>)", id,
                     element, wordCount(names), names);
}

// A geometry "g" with positions and whatever primitives.
inline std::string colladaMesh(const std::string& positions, const std::string& primitives,
                               const std::string& sources = {}) {
  return R"(<library_geometries><geometry id="g" name="shape"><mesh>)" +
         colladaNumberSource("g-p", positions, 3) + sources +
         R"(<vertices id="g-v"><input semantic="POSITION" source="#g-p"/></vertices>)" +
         primitives + "</mesh></geometry></library_geometries>";
}

inline const char* const kColladaVertex = R"(<input semantic="VERTEX" source="#g-v" offset="0"/>)";

inline std::string colladaTriangle(const std::string& positions = "0 0 0 1 0 0 0 1 0") {
  return colladaMesh(positions, std::string("<triangles count=\"1\">") + kColladaVertex +
                                    "<p>0 1 2</p></triangles>");
}

inline std::string colladaWhole(const std::string& libraries, const std::string& nodes,
                                const std::string& asset = "<up_axis>Y_UP</up_axis>") {
  return R"(<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>)" +
         asset + "</asset>" + libraries + R"(<library_visual_scenes><visual_scene id="scene">)" +
         nodes +
         R"(</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#scene"/></scene></COLLADA>)";
}

// An animation of keys. in, out: tangents, a pair for each number, or empty.
inline std::string colladaKeys(const std::string& id, const std::string& target,
                               const std::string& times, const std::string& values,
                               std::size_t width, const std::string& kinds = {},
                               const std::string& in = {}, const std::string& out = {}) {
  std::string sources =
      colladaNumberSource(id + "-t", times, 1) + colladaNumberSource(id + "-o", values, width);
  std::string inputs = fmt::format(
      R"(<input semantic="INPUT" source="#{0}-t"/><input semantic="OUTPUT" source="#{0}-o"/>)", id);
  if (!kinds.empty()) {
    sources += colladaNameSource(id + "-k", kinds);
    inputs += fmt::format(R"(<input semantic="INTERPOLATION" source="#{}-k"/>)", id);
  }
  if (!in.empty()) {
    sources += colladaNumberSource(id + "-in", in, 2 * width) +
               colladaNumberSource(id + "-out", out, 2 * width);
    inputs += fmt::format(
        R"(<input semantic="IN_TANGENT" source="#{0}-in"/><input semantic="OUT_TANGENT" source="#{0}-out"/>)",
        id);
  }
  return fmt::format(
      R"(<animation id="{0}">{1}<sampler id="{0}-s">{2}</sampler><channel source="#{0}-s" target="{3}"/></animation>)",
      id, sources, inputs, target);
}

// A triangle with a skin of one joint, and a clip.
inline std::string skinnedTriangle() {
  return colladaWhole(
      colladaTriangle() + R"(<library_controllers><controller id="c"><skin source="#g">)" +
          colladaNameSource("j", "b") +
          colladaNumberSource("b", "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", 16) +
          colladaNumberSource("w", "1", 1) +
          R"(<joints><input semantic="JOINT" source="#j"/><input semantic="INV_BIND_MATRIX" source="#b"/></joints><vertex_weights count="3"><input semantic="JOINT" source="#j" offset="0"/><input semantic="WEIGHT" source="#w" offset="1"/><vcount>1 1 1</vcount><v>0 0 0 0 0 0</v></vertex_weights></skin></controller></library_controllers><library_animations>)" +
          colladaKeys("a", "n/m", "0 1",
                      "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 1 0 1 0 0 0 0 1 0 0 0 0 1", 16) +
          "</library_animations>",
      R"(<node id="n" sid="b" name="n"><matrix sid="m">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix></node><node id="s"><instance_controller url="#c"/></node>)");
}

} // namespace sinew::test
