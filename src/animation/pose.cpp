#include "animation/pose.h"

#include "core/affine.h"
#include "core/error.h"
#include "core/json_reader.h"

#include <fmt/format.h>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

namespace sinew {

float twistAt(const Pose& pose, std::uint32_t node) {
  return node < pose.twists.size() ? pose.twists[node] : 0.0f;
}

void setTwistAt(Pose& pose, std::uint32_t node, float twist) {
  if (pose.twists.empty() && twist == 0.0f) return;
  pose.twists.resize(pose.parentFromNode.size(), 0.0f);
  pose.twists[node] = twist;
  // One form of each value: poses are compared.
  if (std::all_of(pose.twists.begin(), pose.twists.end(), [](float t) { return t == 0.0f; }))
    pose.twists.clear();
}

double nearestAngle(double angle, double to) {
  constexpr double kRotation = 6.283185307179586;
  if (!(std::abs(to - angle) > 0.5 * kRotation + 1e-6)) return angle;
  return angle + kRotation * std::round((to - angle) / kRotation);
}

std::vector<quat> restRotations(const Hierarchy& hierarchy) {
  std::vector<quat> out;
  out.reserve(hierarchy.nodes.size());
  for (const Node& node : hierarchy.nodes)
    out.push_back(node.parent == kNoNode ? node.rest.rotation
                                         : out[node.parent] * node.rest.rotation);
  return out;
}

Pose restPose(const Hierarchy& hierarchy) {
  Pose pose;
  pose.parentFromNode.reserve(hierarchy.nodes.size());
  for (const Node& node : hierarchy.nodes)
    pose.parentFromNode.push_back(node.rest);
  return pose;
}

Pose restPose(const Model& model) {
  Pose pose = restPose(model.hierarchy);
  pose.morphWeights = restWeights(model);
  return pose;
}

MorphWeights getMorphWeights(const Model& model, const Pose& pose) {
  const bool own = pose.morphWeights.size() == model.morphTargets.size();
  return own ? pose.morphWeights : restWeights(model);
}

MorphWeights blend(const MorphWeights& a, const MorphWeights& b, float t) {
  if (a.size() != b.size()) return a.empty() ? b : a;
  if (t >= 1.0f) return b;
  MorphWeights out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    out[i] = a[i] + t * (b[i] - a[i]);
  return out;
}

Pose bindPose(const Model& model) {
  const std::vector<Node>& nodes = model.hierarchy.nodes;
  std::vector<std::optional<mat4>> modelFromJoint(nodes.size());
  for (const Skin& skin : model.skins)
    for (const SkinJoint& joint : skin.joints)
      if (!modelFromJoint[joint.node])
        modelFromJoint[joint.node] = glm::inverse(joint.jointFromBind);

  Pose pose = restPose(model.hierarchy);
  pose.morphWeights.assign(model.morphTargets.size(), 0.0f);
  std::vector<mat4> modelFromNode(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const mat4 modelFromParent =
        nodes[i].parent == kNoNode ? mat4(1.0f) : modelFromNode[nodes[i].parent];
    if (modelFromJoint[i])
      pose.parentFromNode[i] = decompose(glm::inverse(modelFromParent) * *modelFromJoint[i]);
    modelFromNode[i] = modelFromParent * toMatrix(pose.parentFromNode[i]);
  }
  return pose;
}

Pose blend(const Pose& a, const Pose& b, float t) {
  assert(a.parentFromNode.size() == b.parentFromNode.size());
  Pose out;
  out.parentFromNode.reserve(a.parentFromNode.size());
  for (std::size_t i = 0; i < a.parentFromNode.size(); ++i)
    out.parentFromNode.push_back(interpolate(a.parentFromNode[i], b.parentFromNode[i], t));
  out.morphWeights = blend(a.morphWeights, b.morphWeights, t);
  if (a.twists.empty() && b.twists.empty()) return out;
  for (std::uint32_t i = 0; i < a.parentFromNode.size(); ++i)
    setTwistAt(out, i, twistAt(a, i) + t * (twistAt(b, i) - twistAt(a, i)));
  return out;
}

void modelFromNodes(const Hierarchy& hierarchy, const Pose& pose, std::vector<mat4>& out) {
  assert(pose.parentFromNode.size() == hierarchy.nodes.size());
  out.resize(hierarchy.nodes.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint32_t parent = hierarchy.nodes[i].parent;
    const mat4 parentFromNode = toMatrix(pose.parentFromNode[i]);
    out[i] = parent == kNoNode ? parentFromNode : affineProduct(out[parent], parentFromNode);
  }
}

std::vector<mat4> modelFromNodes(const Hierarchy& hierarchy, const Pose& pose) {
  std::vector<mat4> out;
  modelFromNodes(hierarchy, pose, out);
  return out;
}

std::size_t replaceNonFinite(const Hierarchy& hierarchy, Pose& pose) {
  std::size_t replaced = 0;
  for (std::size_t i = 0; i < pose.parentFromNode.size(); ++i)
    if (!isFinite(pose.parentFromNode[i])) {
      pose.parentFromNode[i] = hierarchy.nodes[i].rest;
      ++replaced;
    }
  for (float& weight : pose.morphWeights)
    if (!std::isfinite(weight)) {
      weight = 0.0f;
      ++replaced;
    }
  for (float& twist : pose.twists)
    if (!std::isfinite(twist)) {
      twist = 0.0f;
      ++replaced;
    }
  return replaced;
}

std::string poseToJson(const Model& model, const Pose& pose) {
  const Hierarchy& hierarchy = model.hierarchy;
  Json nodes = Json::object();
  for (std::size_t i = 0; i < pose.parentFromNode.size(); ++i) {
    const Transform& t = pose.parentFromNode[i];
    if (!isFinite(t) || !std::isfinite(twistAt(pose, static_cast<std::uint32_t>(i))))
      throw inputError(model.path, fmt::format("the pose of '{}' is not finite: it is not written",
                                               hierarchy.nodes[i].name));
    nodes[hierarchy.nodes[i].name] = {
        {"translation", {t.translation.x, t.translation.y, t.translation.z}},
        {"rotation", {t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w}},
        {"scale", {t.scale.x, t.scale.y, t.scale.z}}};
    if (const float twist = twistAt(pose, static_cast<std::uint32_t>(i)); twist != 0.0f)
      nodes[hierarchy.nodes[i].name]["twist"] = twist;
  }
  Json json{{"sinew", "pose"}, {"nodes", nodes}};
  const std::vector<std::string> labels = morphLabels(model);
  const MorphWeights weights = getMorphWeights(model, pose);
  for (std::size_t i = 0; i < labels.size(); ++i)
    json["morphs"][labels[i]] = weights[i];
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

namespace {

void readTransform(JsonObject& object, Transform& t) {
  object.readIfThere("translation", t.translation);
  if (const auto rotation = object.find("rotation")) {
    std::array<float, 4> v{};
    rotation->numbers(v);
    const quat q(v[3], v[0], v[1], v[2]);
    if (const float length = glm::length(q); !(length >= 1e-6f && length <= 1e6f))
      throw rotation->wrong(fmt::format("is no quaternion: its length is {}", length));
    t.rotation = glm::normalize(q);
  }
  object.readIfThere("scale", t.scale);
}

void readMorphs(const JsonValue& morphs, const Model& model, MorphWeights& weights) {
  const std::vector<std::string> labels = morphLabels(model);
  for (const auto& [label, value] : JsonObject(morphs).members("the weight of")) {
    const auto found = std::find(labels.begin(), labels.end(), label);
    if (found == labels.end())
      throw inputError(value.path(), fmt::format("the model has no morph target '{}'", label));
    weights[static_cast<std::size_t>(found - labels.begin())] = value.number();
  }
}

} // namespace

Pose poseFromJson(const Model& model, std::string_view text, std::string_view path) {
  const Json json = parseJson(text, path);
  const char* expected = R"(not a pose: expected {"sinew": "pose", "nodes": {...}})";
  const char* remedy = "make one with sinew export MODEL -o pose.json";
  JsonObject object = readDocument(json, path, "pose", expected, remedy);
  const auto nodes = object.find("nodes");
  if (!nodes) throw inputError(path, expected, remedy);
  Pose pose = restPose(model);
  for (const auto& [name, value] : JsonObject(*nodes).members("node")) {
    const auto index = findNode(model.hierarchy, name);
    if (!index) throw inputError(path, fmt::format("the model has no node '{}'", name));
    JsonObject node(value);
    readTransform(node, pose.parentFromNode[*index]);
    if (const auto twist = node.find("twist"); twist && twist->number() != 0.0f)
      setTwistAt(pose, *index, twist->number());
    node.rejectUnknown();
  }
  if (const auto morphs = object.find("morphs")) readMorphs(*morphs, model, pose.morphWeights);
  return pose;
}

} // namespace sinew
