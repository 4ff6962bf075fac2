#include "weights/weights_file.h"

#include "animation/pose.h"
#include "core/error.h"
#include "weights/skin_joints.h"
#include "weights/weight_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace sinew {
namespace {

// The influences of all meshes in order; empty where a mesh has none. getNumber: the file's index
// of the joint (or spline) of a mesh's influence.
template <class NumberOf>
Influences gathered(const Model& model, Influences Mesh::*part, const NumberOf& getNumber) {
  Influences out;
  std::vector<Influence> vertex;
  for (const Mesh& mesh : model.meshes)
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      vertex.clear();
      if (mesh.skin && (mesh.*part).vertexCount() > 0)
        for (const Influence& influence : (mesh.*part).of(v))
          vertex.push_back({getNumber(mesh, influence.joint), influence.weight});
      out.append(vertex);
    }
  return out;
}

// Reading.

// Copies the file's lists of bones to a mesh; empty ones leave a vertex unchanged.
void replaceBones(const Influences& read, std::size_t first, SkinJoints& joints, Mesh& mesh) {
  Influences out;
  std::vector<Influence> vertex;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const auto given = read.of(first + v);
    vertex.assign(given.begin(), given.end());
    for (Influence& influence : vertex)
      influence.joint = joints.of(influence.joint);
    out.append(given.empty() ? mesh.influences.of(v) : vertex);
  }
  mesh.influences = std::move(out);
}

bool anyGiven(const Influences& read, std::size_t first, std::size_t count) {
  return read.offsets[first + count] > read.offsets[first];
}

void putBones(Model& model, const Influences& read) {
  const std::vector<mat4> modelFromBound = modelFromNodes(model.hierarchy, bindPose(model));
  GrowingSkins skins(model, modelFromBound);
  std::size_t first = 0;
  for (Mesh& mesh : model.meshes) {
    const std::size_t count = mesh.positions.size();
    if (!mesh.skin && anyGiven(read, first, count)) skins.bindRigid(mesh);
    if (mesh.skin) replaceBones(read, first, skins.of(*mesh.skin), mesh);
    first += count;
  }
  skins.dropUnused();
}

bool binds(const Skin& skin, const FreeSpline& spline) {
  return std::ranges::all_of(spline.nodes, [&](std::uint32_t node) {
    return std::ranges::find(skin.joints, node, &SkinJoint::node) != skin.joints.end();
  });
}

void putSplines(Model& model, const Influences& read, std::string_view path) {
  std::size_t first = 0;
  for (Mesh& mesh : model.meshes) {
    const std::size_t count = mesh.positions.size();
    const bool follows = mesh.skin && mesh.splineInfluences.vertexCount() > 0;
    if (!follows && anyGiven(read, first, count))
      throw inputError(path,
                       fmt::format("'spline_weights' has weights for mesh '{}', which follows no "
                                   "spline",
                                   mesh.name));
    if (!follows) {
      first += count;
      continue;
    }
    for (std::uint32_t i = read.offsets[first]; i < read.offsets[first + count]; ++i)
      if (!binds(model.skins[*mesh.skin], model.splines[read.values[i].joint]))
        throw inputError(path, fmt::format("the skin of mesh '{}' does not bind spline '{}'",
                                           mesh.name, model.splines[read.values[i].joint].name));
    mesh.splineInfluences = {};
    for (std::size_t v = 0; v < count; ++v)
      mesh.splineInfluences.append(read.of(first + v));
    first += count;
  }
}

Json parsed(std::string_view text, std::string_view path) {
  Json json = parseJson(text, path);
  const bool ours = json.is_object() && json.contains("joints") && json.contains("weights") &&
                    json.value("sinew", Json("weights")) == "weights";
  if (!ours)
    throw inputError(path, R"(not a weights file: expected {"joints": [...], "weights": [...]})",
                     "sinew weights or the viewer make one");
  return json;
}

} // namespace

std::string weightsToJson(std::span<const std::string> joints, const Influences& influences) {
  std::string out = "{";
  appendWeightLists(out, "joints", {joints.begin(), joints.end()}, "weights", influences);
  return out + "}\n";
}

std::string weightsToJson(const Model& model, SplineWeights splineWeights) {
  std::vector<bool> used(model.hierarchy.nodes.size(), false);
  for (const Mesh& mesh : model.meshes)
    if (mesh.skin)
      for (const Influence& influence : mesh.influences.values)
        used[model.skins[*mesh.skin].joints[influence.joint].node] = true;
  // Control points of splines that another file holds: this one can be read without it.
  std::vector<bool> others(model.hierarchy.nodes.size(), false);
  if (splineWeights == SplineWeights::elsewhere)
    for (const FreeSpline& spline : model.splines)
      for (const std::uint32_t node : spline.nodes)
        others[node] = !used[node];
  std::vector<std::string> names;
  std::vector<std::uint32_t> numberOfNode(model.hierarchy.nodes.size(), 0);
  for (const std::uint32_t node : jointNodes(model)) {
    if (others[node]) continue;
    numberOfNode[node] = static_cast<std::uint32_t>(names.size());
    names.push_back(model.hierarchy.nodes[node].name);
  }
  std::string out = "{\"sinew\": \"weights\", ";
  appendWeightLists(out, "joints", names, "weights",
                    gathered(model, &Mesh::influences, [&](const Mesh& mesh, std::uint32_t joint) {
                      return numberOfNode[model.skins[*mesh.skin].joints[joint].node];
                    }));
  if (model.splines.empty() || splineWeights == SplineWeights::elsewhere) return out + "}\n";
  out += ",\n";
  appendWeightLists(out, "splines", splineNames(model), "spline_weights",
                    collectSplineWeights(model));
  return out + "}\n";
}

std::vector<std::string> splineNames(const Model& model) {
  std::vector<std::string> names;
  for (const FreeSpline& spline : model.splines)
    names.push_back(spline.name);
  return names;
}

Influences collectSplineWeights(const Model& model) {
  return gathered(model, &Mesh::splineInfluences,
                  [](const Mesh&, std::uint32_t spline) { return spline; });
}

void weightsFromJson(Model& model, std::string_view text, std::string_view path) {
  const Json json = parsed(text, path);
  JsonObject file(JsonValue(json, path, ""));
  const std::size_t vertices = vertexCount(model);
  std::map<std::string, std::uint32_t> joints;
  for (const std::uint32_t node : jointNodes(model))
    joints.emplace(model.hierarchy.nodes[node].name, node);
  std::map<std::string, std::uint32_t> splines;
  for (std::uint32_t s = 0; s < model.splines.size(); ++s)
    splines.emplace(model.splines[s].name, s);
  const Influences bones = readWeightLists(
      file.at("weights"), readNames(file.at("joints"), "joint", joints), vertices, false);
  std::optional<Influences> ofSplines;
  if (const auto weights = file.find("spline_weights"))
    ofSplines =
        readWeightLists(*weights, readNames(file.at("splines"), "spline", splines), vertices, true);
  putBones(model, bones);
  if (ofSplines) putSplines(model, *ofSplines, path);
}

} // namespace sinew
