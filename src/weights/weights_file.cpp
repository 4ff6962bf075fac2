#include "weights/weights_file.h"

#include "animation/pose.h"
#include "core/error.h"
#include "core/json_text.h"
#include "weights/bind_model.h"

#include <fmt/format.h>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace sinew {
namespace {

// Writing.

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

// The influences of all meshes in order; empty where a mesh has none. numberOf: the file's index of
// the joint (or spline) of a mesh's influence.
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

// Reading.

using Json = nlohmann::ordered_json;

constexpr const char* kRemedy =
    "--weights none ignores it, sinew weights or the viewer make another";
constexpr float kSumTolerance = 0.01f; // for rounded numbers

Error wrong(std::string_view path, const std::string& what) {
  return inputError(path, what, kRemedy);
}

// The model's indices of the file's names: nodes of joints, or splines.
std::vector<std::uint32_t> numbered(const Json& names, const char* key, const char* kind,
                                    const std::map<std::string, std::uint32_t>& known,
                                    std::string_view path) {
  if (!names.is_array()) throw wrong(path, fmt::format("'{}' is not a list of names", key));
  std::vector<std::uint32_t> out;
  for (const Json& each : names) {
    if (!each.is_string())
      throw wrong(path,
                  fmt::format("entry {} of '{}' is {}, not a name", out.size(), key, shown(each)));
    const auto name = each.get<std::string>();
    const auto found = known.find(name);
    if (found == known.end())
      throw wrong(path, fmt::format("the model has no {} '{}'", kind, name));
    if (std::ranges::find(out, found->second) != out.end())
      throw wrong(path, fmt::format("'{}' is in '{}' twice", name, key));
    out.push_back(found->second);
  }
  return out;
}

Influence readPair(const Json& pair, const std::vector<std::uint32_t>& numbers,
                   const std::string& where, std::string_view path) {
  if (!pair.is_array() || pair.size() != 2)
    throw wrong(path, fmt::format("{}: {} is not [number, weight]", where, shown(pair)));
  if (!pair[0].is_number_unsigned() || pair[0].get<std::uint64_t>() >= numbers.size())
    throw wrong(
        path, fmt::format("{}: {} is none of the {} names", where, shown(pair[0]), numbers.size()));
  const float weight = pair[1].is_number() ? pair[1].get<float>() : NAN;
  if (!(weight >= 0.0f && weight <= 1.0f + kSumTolerance))
    throw wrong(path, fmt::format("{}: weight {} is not from 0 to 1", where, shown(pair[1])));
  return {numbers[pair[0].get<std::size_t>()], weight};
}

std::vector<Influence> readVertex(const Json& list, const std::vector<std::uint32_t>& numbers,
                                  const std::string& where, std::string_view path) {
  if (!list.is_array()) throw wrong(path, fmt::format("{} is not a list", where));
  std::vector<Influence> out;
  std::set<std::uint32_t> seen;
  double sum = 0.0;
  for (const Json& pair : list) {
    out.push_back(readPair(pair, numbers, where, path));
    sum += static_cast<double>(out.back().weight);
    if (!seen.insert(out.back().joint).second)
      throw wrong(path, fmt::format("{} has {} twice", where, shown(pair[0])));
  }
  if (out.empty()) return out;
  if (std::abs(sum - 1.0) > static_cast<double>(kSumTolerance))
    throw wrong(path, fmt::format("{}: the weights sum to {:.4g}, not to 1", where, sum));
  if (std::abs(sum - 1.0) > 1e-6)
    for (Influence& influence : out)
      influence.weight = static_cast<float>(static_cast<double>(influence.weight) / sum);
  std::erase_if(out, [](const Influence& influence) { return influence.weight == 0.0f; });
  std::stable_sort(out.begin(), out.end(),
                   [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
  return out;
}

Influences readLists(const Json& lists, const char* key, const std::vector<std::uint32_t>& numbers,
                     std::size_t vertices, std::string_view path) {
  if (!lists.is_array()) throw wrong(path, fmt::format("'{}' is not a list", key));
  if (lists.size() != vertices)
    throw wrong(path,
                fmt::format("weights of {} vertices; the model has {}", lists.size(), vertices));
  Influences out;
  for (std::size_t v = 0; v < lists.size(); ++v)
    out.append(readVertex(lists[v], numbers, fmt::format("'{}' of vertex {}", key, v), path));
  return out;
}

// The joints of one skin by node; missing ones are added in the bind pose.
class SkinJoints {
 public:
  SkinJoints(const std::vector<mat4>& modelFromBound, Skin& skin)
      : modelFromBound_(modelFromBound), skin_(skin) {
    for (std::uint32_t j = 0; j < skin.joints.size(); ++j)
      jointOfNode_.emplace(skin.joints[j].node, j);
  }

  std::uint32_t of(std::uint32_t node) {
    const auto next = static_cast<std::uint32_t>(skin_.joints.size());
    const auto [entry, isNew] = jointOfNode_.try_emplace(node, next);
    if (isNew) skin_.joints.push_back({node, glm::inverse(modelFromBound_[node])});
    return entry->second;
  }

 private:
  const std::vector<mat4>& modelFromBound_;
  Skin& skin_;
  std::map<std::uint32_t, std::uint32_t> jointOfNode_;
};

// Copies the file's lists to a mesh; empty ones leave a vertex unchanged.
template <class JointOf>
void replace(Influences& influences, const Influences& read, std::size_t first,
             const JointOf& jointOf) {
  Influences out;
  std::vector<Influence> vertex;
  for (std::size_t v = 0; v < influences.vertexCount(); ++v) {
    const auto given = read.of(first + v);
    vertex.assign(given.begin(), given.end());
    for (Influence& influence : vertex)
      influence.joint = jointOf(influence.joint);
    out.append(given.empty() ? influences.of(v) : vertex);
  }
  influences = std::move(out);
}

bool anyGiven(const Influences& read, std::size_t first, std::size_t count) {
  return read.offsets[first + count] > read.offsets[first];
}

// Makes a rigid mesh skinned in the bind pose, at first entirely by its own node.
void bindRigid(Mesh& mesh, std::uint32_t skin, const std::vector<mat4>& modelFromBound,
               SkinJoints& joints) {
  moveToModelSpace(mesh, modelFromBound[mesh.node]);
  const std::vector<Influence> own{{joints.of(mesh.node), 1.0f}};
  mesh.skin = skin;
  mesh.influences = {};
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    mesh.influences.append(own);
}

void putBones(Model& model, const Influences& read) {
  const std::vector<mat4> modelFromBound = modelFromNodes(model.hierarchy, bindPose(model));
  const auto ofRigid = static_cast<std::uint32_t>(model.skins.size());
  model.skins.emplace_back();
  std::vector<SkinJoints> joints;
  for (Skin& skin : model.skins)
    joints.emplace_back(modelFromBound, skin);
  std::size_t first = 0;
  for (Mesh& mesh : model.meshes) {
    const std::size_t count = mesh.positions.size();
    if (!mesh.skin && anyGiven(read, first, count))
      bindRigid(mesh, ofRigid, modelFromBound, joints[ofRigid]);
    if (mesh.skin)
      replace(mesh.influences, read, first,
              [&](std::uint32_t node) { return joints[*mesh.skin].of(node); });
    first += count;
  }
  if (model.skins.back().joints.empty()) model.skins.pop_back();
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
      throw wrong(path, fmt::format("'spline_weights' has weights for mesh '{}', which follows no "
                                    "spline",
                                    mesh.name));
    if (!follows) {
      first += count;
      continue;
    }
    for (std::uint32_t i = read.offsets[first]; i < read.offsets[first + count]; ++i)
      if (!binds(model.skins[*mesh.skin], model.splines[read.values[i].joint]))
        throw wrong(path, fmt::format("the skin of mesh '{}' does not bind spline '{}'", mesh.name,
                                      model.splines[read.values[i].joint].name));
    replace(mesh.splineInfluences, read, first, [](std::uint32_t spline) { return spline; });
    first += count;
  }
}

Json parsed(std::string_view text, std::string_view path) {
  Json json = parseJson(text, path, kRemedy);
  const bool ours = json.is_object() && json.contains("joints") && json.contains("weights") &&
                    json.value("sinew", Json("weights")) == "weights";
  if (!ours)
    throw wrong(path, R"(not a weights file: expected {"joints": [...], "weights": [...]})");
  return json;
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

void weightsFromJson(Model& model, std::string_view text, std::string_view path) {
  const Json json = parsed(text, path);
  const std::size_t vertices = vertexCount(model);
  std::map<std::string, std::uint32_t> joints;
  for (const std::uint32_t node : jointNodes(model))
    joints.emplace(model.hierarchy.nodes[node].name, node);
  std::map<std::string, std::uint32_t> splines;
  for (std::uint32_t s = 0; s < model.splines.size(); ++s)
    splines.emplace(model.splines[s].name, s);
  const Influences bones =
      readLists(json["weights"], "weights",
                numbered(json["joints"], "joints", "joint", joints, path), vertices, path);
  std::optional<Influences> ofSplines;
  if (json.contains("spline_weights"))
    ofSplines =
        readLists(json["spline_weights"], "spline_weights",
                  numbered(json.value("splines", Json()), "splines", "spline", splines, path),
                  vertices, path);
  putBones(model, bones);
  if (ofSplines) putSplines(model, *ofSplines, path);
}

} // namespace sinew
