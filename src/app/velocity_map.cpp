#include "app/velocity_map.h"

#include "core/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr float kLargestFactor = 10.0f;

JointVelocityFactors readFactors(const JsonValue& value) {
  JsonObject object(value);
  JointVelocityFactors out;
  const auto factor = [&](const char* key, float maximum, float& to) {
    if (const auto found = object.find(key)) to = found->number(0.0f, maximum);
  };
  factor("drag", kLargestFactor, out.factor.drag);
  factor("squash", kLargestFactor, out.factor.squash);
  factor("skin", 1.0f, out.skin);
  object.rejectUnknown();
  return out;
}

// The first vertex of each mesh among those of the model.
std::vector<std::size_t> firstVertices(const Model& model) {
  std::vector<std::size_t> first{0};
  for (const Mesh& mesh : model.meshes)
    first.push_back(first.back() + mesh.positions.size());
  return first;
}

void readMesh(const Model& model, const JsonValue& value, VelocityMap& out) {
  JsonObject object(value);
  const std::string name = object.at("mesh").text();
  const auto mesh = std::ranges::find(model.meshes, name, &Mesh::name);
  if (mesh == model.meshes.end())
    throw inputError(value.path(), fmt::format("the model has no mesh '{}'", name));
  const JsonValue strength = object.at("strength");
  object.rejectUnknown();
  const std::vector<float> values = strength.numbers();
  if (values.size() != mesh->positions.size())
    throw strength.wrong(fmt::format("has {} numbers, not one for each of the {} vertices of '{}'",
                                     values.size(), mesh->positions.size(), name));
  const std::vector<std::size_t> first = firstVertices(model);
  out.strength.resize(first.back(), 1.0f);
  std::size_t at = first[static_cast<std::size_t>(mesh - model.meshes.begin())];
  for (const float each : values) {
    if (each < 0.0f || each > 1.0f)
      throw strength.wrong(fmt::format("has {}; each number goes from 0 to 1", each));
    out.strength[at++] = each;
  }
}

} // namespace

std::vector<VelocityStrength> listJointStrengths(const VelocityMap& map,
                                                 const Hierarchy& hierarchy) {
  if (map.joints.empty()) return {};
  std::vector<VelocityStrength> out;
  for (const Node& node : hierarchy.nodes) {
    const auto found = map.joints.find(node.name);
    out.push_back(found == map.joints.end() ? VelocityStrength{1.0f, 1.0f} : found->second.factor);
  }
  return out;
}

std::vector<float> computeStrengths(const VelocityMap& map, const Hierarchy& hierarchy,
                                    const Rig& rig) {
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
  JsonObject object = readDocument(json, path, "velocity",
                                   R"(not a velocity file: expected {"sinew": "velocity", ...})");
  VelocityMap out;
  if (const auto joints = object.find("joints"))
    for (const auto& [name, joint] : JsonObject(*joints).members("joint")) {
      if (!findNode(model.hierarchy, name))
        throw inputError(path, fmt::format("the model has no joint '{}'", name));
      out.joints[name] = readFactors(joint);
    }
  for (const JsonValue& mesh : object.list("map", "mesh"))
    readMesh(model, mesh, out);
  object.rejectUnknown();
  return out;
}

} // namespace sinew
