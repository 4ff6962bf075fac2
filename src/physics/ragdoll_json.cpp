#include "physics/ragdoll_json.h"

#include "core/error.h"
#include "core/json_text.h"

#include <fmt/format.h>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

// The shortest number that reads back as this float.
double shortest(float value) {
  return std::stod(fmt::format("{}", value));
}

Json numbers(const vec3& v) {
  return {shortest(v.x), shortest(v.y), shortest(v.z)};
}

// Rounded to float precision, so that 90 degrees are written as 90.
double degreesOf(float radians) {
  return std::round(glm::degrees(static_cast<double>(radians)) * 1e4) / 1e4;
}

Json bodyJson(const RagdollBody& body) {
  const quat& q = body.rotation;
  Json json{{"bone", body.bone}};
  if (!body.merged.empty()) json["merged"] = body.merged;
  json["shape"] = body.shape == BodyShape::capsule ? "capsule" : "box";
  json["center"] = numbers(body.center);
  json["rotation"] = {shortest(q.x), shortest(q.y), shortest(q.z), shortest(q.w)};
  if (body.shape == BodyShape::capsule) {
    json["radius"] = shortest(body.radius);
    json["length"] = shortest(body.length);
  } else {
    json["half_extents"] = numbers(body.halfExtents);
  }
  json["mass"] = shortest(body.mass);
  if (body.restitution > 0.0f) json["restitution"] = shortest(body.restitution);
  return json;
}

Json jointJson(const RagdollJoint& joint) {
  const bool hinge = joint.type == RagdollJointType::hinge;
  Json json{{"child", joint.child},
            {"parent", joint.parent},
            {"type", hinge ? "hinge" : "universal"},
            {"anchor", numbers(joint.anchor)},
            {"axis", numbers(joint.axis)}};
  json[hinge ? "back_angle" : "rotational_freedom"] =
      degreesOf(hinge ? joint.backAngle : joint.rotationalFreedom);
  json[hinge ? "front_angle" : "bend_freedom"] =
      degreesOf(hinge ? joint.frontAngle : joint.bendFreedom);
  return json;
}

// Reads the keys of one object; what is not asked for by the end is unknown.
class Reader {
 public:
  Reader(const Json& json, std::string where, std::string_view path)
      : json_(json), where_(std::move(where)), path_(path) {
    if (!json.is_object()) throw inputError(path, where_ + " is not an object");
  }

  std::string of(const std::string& key) const {
    return where_.empty() ? fmt::format("'{}'", key) : fmt::format("'{}' of {}", key, where_);
  }
  Error error(const std::string& key, const char* must) const {
    const auto found = json_.find(key);
    return inputError(path_, found == json_.end() ? fmt::format("{} is missing", of(key))
                                                  : fmt::format("{} is {}; it must be {}", of(key),
                                                                shown(*found), must));
  }

  const Json& value(const std::string& key, const char* must) {
    known_.push_back(key);
    const auto found = json_.find(key);
    if (found == json_.end()) throw error(key, must);
    return *found;
  }
  bool has(const std::string& key) const { return json_.contains(key); }

  std::string word(const std::string& key) {
    const Json& json = value(key, "a string");
    if (!json.is_string()) throw error(key, "a string");
    return json.get<std::string>();
  }
  float number(const std::string& key) {
    const Json& json = value(key, "a finite number");
    if (!json.is_number() || !std::isfinite(json.get<float>())) throw error(key, "a finite number");
    return json.get<float>();
  }
  void number(const std::string& key, float& out) {
    known_.push_back(key);
    if (has(key)) out = number(key);
  }
  float angle(const std::string& key) { return glm::radians(number(key)); }

  template <std::size_t N>
  std::array<float, N> list(const std::string& key) {
    const char* must = N == 3 ? "3 finite numbers" : "4 finite numbers";
    const Json& json = value(key, must);
    if (!json.is_array() || json.size() != N) throw error(key, must);
    std::array<float, N> out{};
    for (std::size_t i = 0; i < N; ++i) {
      if (!json[i].is_number() || !std::isfinite(json[i].get<float>())) throw error(key, must);
      out[i] = json[i].get<float>();
    }
    return out;
  }
  vec3 vector(const std::string& key) {
    const auto v = list<3>(key);
    return {v[0], v[1], v[2]};
  }

  void end() const {
    for (const auto& [key, value] : json_.items())
      if (std::find(known_.begin(), known_.end(), key) == known_.end()) {
        std::string list;
        for (const std::string& each : known_)
          list += (list.empty() ? "" : ", ") + each;
        throw inputError(path_, of(key) + " is unknown", "one of " + list);
      }
  }

 private:
  const Json& json_;
  std::string where_;
  std::string_view path_;
  std::vector<std::string> known_;
};

std::string nameOf(const Json& json, const char* key, const char* kind, std::size_t index) {
  const bool named = json.is_object() && json.contains(key) && json[key].is_string();
  return named ? fmt::format("{} '{}'", kind, json[key].get<std::string>())
               : fmt::format("{} {}", kind, index + 1);
}

RagdollBody readBody(const Json& json, std::size_t index, std::string_view path) {
  Reader read(json, nameOf(json, "bone", "body", index), path);
  RagdollBody body;
  body.bone = read.word("bone");
  if (read.has("merged")) {
    const Json& merged = read.value("merged", "");
    const auto isName = [](const Json& each) { return each.is_string(); };
    if (!merged.is_array() || !std::all_of(merged.begin(), merged.end(), isName))
      throw read.error("merged", "a list of bones");
    body.merged = merged.get<std::vector<std::string>>();
  }
  const std::string shape = read.word("shape");
  if (shape != "capsule" && shape != "box") throw read.error("shape", "\"capsule\" or \"box\"");
  body.shape = shape == "box" ? BodyShape::box : BodyShape::capsule;
  body.center = read.vector("center");
  const auto q = read.list<4>("rotation");
  body.rotation = quat(q[3], q[0], q[1], q[2]);
  if (body.shape == BodyShape::box) {
    body.halfExtents = read.vector("half_extents");
  } else {
    body.radius = read.number("radius");
    body.length = read.number("length");
  }
  body.mass = read.number("mass");
  read.number("restitution", body.restitution);
  read.end();
  return body;
}

RagdollJoint readJoint(const Json& json, std::size_t index, std::string_view path) {
  Reader read(json, nameOf(json, "child", "joint", index), path);
  RagdollJoint joint;
  joint.child = read.word("child");
  joint.parent = read.word("parent");
  const std::string type = read.word("type");
  if (type != "hinge" && type != "universal")
    throw read.error("type", "\"hinge\" or \"universal\"");
  joint.anchor = read.vector("anchor");
  joint.axis = read.vector("axis");
  if (type == "hinge") {
    joint.type = RagdollJointType::hinge;
    joint.backAngle = read.angle("back_angle");
    joint.frontAngle = read.angle("front_angle");
  } else {
    joint.rotationalFreedom = read.angle("rotational_freedom");
    joint.bendFreedom = read.angle("bend_freedom");
  }
  read.end();
  return joint;
}

} // namespace

std::string ragdollToJson(const RagdollConfig& config) {
  Json bodies = Json::array();
  for (const RagdollBody& body : config.bodies)
    bodies.push_back(bodyJson(body));
  Json joints = Json::array();
  for (const RagdollJoint& joint : config.joints)
    joints.push_back(jointJson(joint));
  return Json{{"sinew", "ragdoll"},
              {"metres", shortest(config.metres)},
              {"linear_damping", shortest(config.linearDamping)},
              {"angular_damping", shortest(config.angularDamping)},
              {"friction", shortest(config.friction)},
              {"joint_friction", shortest(config.jointFriction)},
              {"joint_damping", shortest(config.jointDamping)},
              {"bodies", bodies},
              {"joints", joints}}
             .dump(1, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

RagdollConfig ragdollFromJson(const Model& model, std::string_view text, std::string_view path) {
  const Json json = parseJson(text, path);
  if (!json.is_object() || json.value("sinew", Json()) != "ragdoll")
    throw inputError(path, R"(no ragdoll: expected {"sinew": "ragdoll", ...})",
                     "make one with sinew ragdoll MODEL --write ragdoll.json");
  Reader read(json, "", path);
  read.word("sinew");
  RagdollConfig config;
  read.number("metres", config.metres);
  read.number("linear_damping", config.linearDamping);
  read.number("angular_damping", config.angularDamping);
  read.number("friction", config.friction);
  read.number("joint_friction", config.jointFriction);
  read.number("joint_damping", config.jointDamping);
  const Json& bodies = read.value("bodies", "a list");
  const Json& joints = read.value("joints", "a list");
  if (!bodies.is_array()) throw read.error("bodies", "a list");
  if (!joints.is_array()) throw read.error("joints", "a list");
  read.end();
  for (std::size_t i = 0; i < bodies.size(); ++i)
    config.bodies.push_back(readBody(bodies[i], i, path));
  for (std::size_t i = 0; i < joints.size(); ++i)
    config.joints.push_back(readJoint(joints[i], i, path));
  checkRagdoll(model, config, path);
  return config;
}

} // namespace sinew
