#include "weights/weights_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iterator>

namespace sinew {

namespace {

// "NAMES": [...], "WEIGHTS": [one list a line]
void append(std::string& out, const char* namesKey, const std::vector<std::string>& names,
            const char* weightsKey, const Influences& influences) {
  auto at = std::back_inserter(out);
  fmt::format_to(
      at, "\"{}\": {}, \"{}\": [", namesKey,
      nlohmann::json(names).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
      weightsKey);
  for (std::size_t v = 0; v < influences.vertexCount(); ++v) {
    out += v == 0 ? "\n[" : ",\n[";
    const char* comma = "";
    for (const Influence& influence : influences.of(v)) {
      fmt::format_to(at, "{}[{}, {}]", comma, influence.joint, influence.weight);
      comma = ", ";
    }
    out += ']';
  }
  out += "\n]";
}

// Of all meshes one behind another; none where a mesh has none. numberOf: what the file calls the
// joint (or spline) that a mesh's influence names.
template <class NumberOf>
Influences gathered(const Model& model, Influences Mesh::*part, const NumberOf& numberOf) {
  Influences out;
  std::vector<Influence> vertex;
  for (const Mesh& mesh : model.meshes)
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      vertex.clear();
      if (mesh.skin && (mesh.*part).vertexCount() > 0)
        for (const Influence& influence : (mesh.*part).of(v))
          vertex.push_back({numberOf(mesh, influence.joint), influence.weight});
      out.append(vertex);
    }
  return out;
}

} // namespace

std::string weightsToJson(std::span<const std::string> joints, const Influences& influences) {
  std::string out = "{";
  append(out, "joints", {joints.begin(), joints.end()}, "weights", influences);
  return out + "}\n";
}

std::string weightsToJson(const Model& model) {
  const std::vector<std::uint32_t> nodes = jointNodes(model);
  std::vector<std::string> names;
  std::vector<std::uint32_t> numberOfNode(model.hierarchy.nodes.size(), 0);
  for (const std::uint32_t node : nodes) {
    numberOfNode[node] = static_cast<std::uint32_t>(names.size());
    names.push_back(model.hierarchy.nodes[node].name);
  }
  std::string out = "{\"sinew\": \"weights\", ";
  append(out, "joints", names, "weights",
         gathered(model, &Mesh::influences, [&](const Mesh& mesh, std::uint32_t joint) {
           return numberOfNode[model.skins[*mesh.skin].joints[joint].node];
         }));
  if (model.splines.empty()) return out + "}\n";
  names.clear();
  for (const FreeSpline& spline : model.splines)
    names.push_back(spline.name);
  out += ",\n";
  append(out, "splines", names, "spline_weights",
         gathered(model, &Mesh::splineInfluences,
                  [](const Mesh&, std::uint32_t spline) { return spline; }));
  return out + "}\n";
}

} // namespace sinew
