#include "animation/pose.h"

#include "core/affine.h"
#include "core/error.h"
#include "core/json_text.h"

#include <fmt/format.h>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

namespace sinew {

using Json = nlohmann::ordered_json;

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

MorphWeights morphWeightsOf(const Model& model, const Pose& pose) {
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
    modelFromNode[i] = modelFromParent * matrixOf(pose.parentFromNode[i]);
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
    const mat4 parentFromNode = matrixOf(pose.parentFromNode[i]);
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
  const MorphWeights weights = morphWeightsOf(model, pose);
  for (std::size_t i = 0; i < labels.size(); ++i)
    json["morphs"][labels[i]] = weights[i];
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

namespace {

// The numbers under `key`, if it is there.
template <int N>
bool readNumbers(const Json& node, const char* key, std::string_view name, std::string_view path,
                 float (&out)[N]) {
  const auto found = node.find(key);
  if (found == node.end()) return false;
  const auto fail = [&] {
    return inputError(path,
                      fmt::format("'{}' of node '{}' is not {} finite numbers", key, name, N));
  };
  if (!found->is_array() || found->size() != N) throw fail();
  for (std::size_t i = 0; i < N; ++i) {
    if (!(*found)[i].is_number()) throw fail();
    out[i] = (*found)[i].get<float>();
    if (!std::isfinite(out[i])) throw fail();
  }
  return true;
}

void readTransform(const Json& node, std::string_view name, std::string_view path, Transform& t) {
  if (!node.is_object()) throw inputError(path, fmt::format("node '{}' is not an object", name));
  for (const auto& [key, value] : node.items())
    if (key != "translation" && key != "rotation" && key != "scale" && key != "twist")
      throw inputError(path, fmt::format("'{}' of node '{}' is unknown", key, name),
                       "one of translation, rotation, scale, twist");
  float three[3];
  float four[4];
  if (readNumbers(node, "translation", name, path, three))
    t.translation = {three[0], three[1], three[2]};
  if (readNumbers(node, "scale", name, path, three)) t.scale = {three[0], three[1], three[2]};
  if (readNumbers(node, "rotation", name, path, four)) {
    const quat q(four[3], four[0], four[1], four[2]);
    if (const float length = glm::length(q); !(length >= 1e-6f && length <= 1e6f))
      throw inputError(
          path,
          fmt::format("'rotation' of node '{}' is no quaternion: its length is {}", name, length));
    t.rotation = glm::normalize(q);
  }
}

void readMorphs(const Json& morphs, const Model& model, std::string_view path,
                MorphWeights& weights) {
  if (!morphs.is_object()) throw inputError(path, "'morphs' is not an object");
  const std::vector<std::string> labels = morphLabels(model);
  for (const auto& [label, value] : morphs.items()) {
    const auto found = std::find(labels.begin(), labels.end(), label);
    if (found == labels.end())
      throw inputError(path, fmt::format("the model has no morph target '{}'", label));
    const float weight = value.is_number() ? value.get<float>() : NAN;
    if (!std::isfinite(weight))
      throw inputError(path, fmt::format("the weight of '{}' is not a finite number", label));
    weights[static_cast<std::size_t>(found - labels.begin())] = weight;
  }
}

// 0 if it is not there.
float readTwist(const Json& node, std::string_view name, std::string_view path) {
  const auto found = node.find("twist");
  if (found == node.end()) return 0.0f;
  const float twist = found->is_number() ? found->get<float>() : NAN;
  if (!std::isfinite(twist))
    throw inputError(path, fmt::format("'twist' of node '{}' is no finite number", name));
  return twist;
}

} // namespace

Pose poseFromJson(const Model& model, std::string_view text, std::string_view path) {
  const Hierarchy& hierarchy = model.hierarchy;
  const Json json = parseJson(text, path);
  if (!json.is_object() || json.value("sinew", Json()) != "pose" || !json.contains("nodes") ||
      !json["nodes"].is_object())
    throw inputError(path, R"(not a pose: expected {"sinew": "pose", "nodes": {...}})",
                     "make one with sinew export MODEL -o pose.json");
  Pose pose = restPose(model);
  for (const auto& [name, node] : json["nodes"].items()) {
    const auto index = findNode(hierarchy, name);
    if (!index) throw inputError(path, fmt::format("the model has no node '{}'", name));
    readTransform(node, name, path, pose.parentFromNode[*index]);
    if (const float twist = readTwist(node, name, path); twist != 0.0f)
      setTwistAt(pose, *index, twist);
  }
  if (json.contains("morphs")) readMorphs(json["morphs"], model, path, pose.morphWeights);
  return pose;
}

} // namespace sinew
