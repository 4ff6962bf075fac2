#include "app/velocity_map.h"

#include "core/error.h"
#include "core/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr float kLargestFactor = 10.0f;

float numberIn(const Json& json, float maximum, const std::string& where, std::string_view path) {
  const float value = json.is_number() ? json.get<float>() : NAN;
  if (!(value >= 0.0f && value <= maximum))
    throw inputError(path,
                     fmt::format("{} is {}; it goes from 0 to {:g}", where, shown(json), maximum));
  return value;
}

JointVelocityFactors readFactors(const std::string& name, const Json& json, std::string_view path) {
  if (!json.is_object())
    throw inputError(path, fmt::format("joint '{}' is {}, not an object", name, shown(json)));
  JointVelocityFactors out;
  for (const auto& [key, value] : json.items()) {
    const std::string where = fmt::format("'{}' of joint '{}'", key, name);
    if (key == "drag")
      out.factor.drag = numberIn(value, kLargestFactor, where, path);
    else if (key == "squash")
      out.factor.squash = numberIn(value, kLargestFactor, where, path);
    else if (key == "skin")
      out.skin = numberIn(value, 1.0f, where, path);
    else
      throw inputError(path, fmt::format("{} is unknown", where), "one of drag, squash, skin");
  }
  return out;
}

// The first vertex of each mesh among those of the model.
std::vector<std::size_t> firstVertices(const Model& model) {
  std::vector<std::size_t> first{0};
  for (const Mesh& mesh : model.meshes)
    first.push_back(first.back() + mesh.positions.size());
  return first;
}

void readMesh(const Model& model, const Json& json, std::string_view path, VelocityMap& out) {
  if (!json.is_object() || !json.contains("mesh") || !json["mesh"].is_string())
    throw inputError(path, fmt::format("{} in 'map' does not name a mesh", shown(json)));
  const std::string name = json["mesh"].get<std::string>();
  const auto mesh = std::ranges::find(model.meshes, name, &Mesh::name);
  if (mesh == model.meshes.end())
    throw inputError(path, fmt::format("the model has no mesh '{}'", name));
  for (const auto& [key, value] : json.items())
    if (key != "mesh" && key != "strength")
      throw inputError(path, fmt::format("'{}' of mesh '{}' is unknown", key, name));
  const Json values = json.value("strength", Json());
  if (!values.is_array() || values.size() != mesh->positions.size())
    throw inputError(path, fmt::format("'strength' of mesh '{}' is not one number for each of its "
                                       "{} vertices",
                                       name, mesh->positions.size()));
  const std::vector<std::size_t> first = firstVertices(model);
  out.strength.resize(first.back(), 1.0f);
  std::size_t at = first[static_cast<std::size_t>(mesh - model.meshes.begin())];
  const std::string where = fmt::format("a strength of mesh '{}'", name);
  for (const Json& value : values)
    out.strength[at++] = numberIn(value, 1.0f, where, path);
}

} // namespace

std::vector<VelocityStrength> factorsOf(const VelocityMap& map, const Hierarchy& hierarchy) {
  if (map.joints.empty()) return {};
  std::vector<VelocityStrength> out;
  for (const Node& node : hierarchy.nodes) {
    const auto found = map.joints.find(node.name);
    out.push_back(found == map.joints.end() ? VelocityStrength{1.0f, 1.0f} : found->second.factor);
  }
  return out;
}

std::vector<float> strengthsOf(const VelocityMap& map, const Hierarchy& hierarchy, const Rig& rig) {
  std::vector<float> out = map.strength;
  out.resize(rig.positions.size(), 1.0f);
  if (map.joints.empty()) return out;
  std::vector<float> skin;
  for (const RigJoint& joint : rig.joints) {
    const auto found = map.joints.find(hierarchy.nodes[joint.node].name);
    skin.push_back(found == map.joints.end() ? 1.0f : found->second.skin);
  }
  for (std::size_t v = 0; v < out.size(); ++v) {
    float lacking = 0.0f;
    for (const Influence& influence : rig.influences.of(v))
      lacking += influence.weight * (1.0f - skin[influence.joint]);
    out[v] *= std::clamp(1.0f - lacking, 0.0f, 1.0f);
  }
  return out;
}

std::string velocityMapToJson(const Model& model, const VelocityMap& map) {
  Json joints = Json::object();
  for (const auto& [name, joint] : map.joints)
    joints[name] = {
        {"drag", joint.factor.drag}, {"squash", joint.factor.squash}, {"skin", joint.skin}};
  Json json{{"sinew", "velocity"}, {"joints", joints}, {"map", Json::array()}};
  const std::vector<std::size_t> first = firstVertices(model);
  for (std::size_t m = 0; m < model.meshes.size() && first.back() == map.strength.size(); ++m) {
    Json values = Json::array();
    bool all = true;
    for (std::size_t v = first[m]; v < first[m + 1]; ++v) {
      values.push_back(std::round(1e4 * static_cast<double>(map.strength[v])) / 1e4);
      all = all && map.strength[v] == 1.0f;
    }
    if (!all) json["map"].push_back({{"mesh", model.meshes[m].name}, {"strength", values}});
  }
  return json.dump(1) + "\n";
}

VelocityMap velocityMapFromJson(const Model& model, std::string_view text, std::string_view path) {
  const Json json = parseJson(text, path);
  if (!json.is_object() || json.value("sinew", Json()) != "velocity")
    throw inputError(path, R"(not a velocity file: expected {"sinew": "velocity", ...})");
  VelocityMap out;
  for (const auto& [key, value] : json.items()) {
    if (key == "sinew") continue;
    if (key == "joints") {
      if (!value.is_object()) throw inputError(path, "'joints' is not an object");
      for (const auto& [name, joint] : value.items()) {
        if (!findNode(model.hierarchy, name))
          throw inputError(path, fmt::format("the model has no joint '{}'", name));
        out.joints[name] = readFactors(name, joint, path);
      }
    } else if (key == "map") {
      if (!value.is_array()) throw inputError(path, "'map' is not a list");
      for (const Json& mesh : value)
        readMesh(model, mesh, path, out);
    } else {
      throw inputError(path, fmt::format("'{}' is unknown", key), "one of sinew, joints, map");
    }
  }
  return out;
}

} // namespace sinew
