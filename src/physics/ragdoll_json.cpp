#include "core/json_reader.h"
#include "physics/ragdoll_config.h"

#include <fmt/format.h>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

// The shortest number that reads back as this float.
double shortest(float value) {
  return std::stod(fmt::format("{}", value));
}

Json numbers(const vec3& v) {
  return {shortest(v.x), shortest(v.y), shortest(v.z)};
}

// Rounded to float precision, so that 90 degrees are written as 90.
double toDegrees(float radians) {
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
      toDegrees(hinge ? joint.backAngle : joint.rotationalFreedom);
  json[hinge ? "front_angle" : "bend_freedom"] =
      toDegrees(hinge ? joint.frontAngle : joint.bendFreedom);
  return json;
}

constexpr std::array<std::string_view, 2> kShapes{"capsule", "box"};
constexpr std::array<std::string_view, 2> kJointTypes{"hinge", "universal"};

// Messages name a body and a joint by the bone where it has one.
JsonObject namedBy(const char* key, const char* kind, const JsonValue& value) {
  const Json& json = value.json();
  const bool named = json.is_object() && json.contains(key) && json[key].is_string();
  return JsonObject(named ? JsonValue(json, value.path(),
                                      fmt::format("{} '{}'", kind, json[key].get<std::string>()))
                          : value);
}

RagdollBody readBody(const JsonValue& value) {
  JsonObject object = namedBy("bone", "body", value);
  RagdollBody body;
  body.bone = object.at("bone").text();
  object.readIfThere("merged", body.merged);
  body.shape = object.at("shape").word(kShapes) == 1 ? BodyShape::box : BodyShape::capsule;
  body.center = object.at("center").vector();
  std::array<float, 4> q{};
  object.at("rotation").numbers(q);
  body.rotation = quat(q[3], q[0], q[1], q[2]);
  if (body.shape == BodyShape::box) {
    body.halfExtents = object.at("half_extents").vector();
  } else {
    body.radius = object.at("radius").number();
    body.length = object.at("length").number();
  }
  body.mass = object.at("mass").number();
  object.readIfThere("restitution", body.restitution);
  object.rejectUnknown();
  return body;
}

RagdollJoint readJoint(const JsonValue& value) {
  JsonObject object = namedBy("child", "joint", value);
  const auto angle = [&](const char* key) { return glm::radians(object.at(key).number()); };
  RagdollJoint joint;
  joint.child = object.at("child").text();
  joint.parent = object.at("parent").text();
  const bool hinge = object.at("type").word(kJointTypes) == 0;
  joint.anchor = object.at("anchor").vector();
  joint.axis = object.at("axis").vector();
  if (hinge) {
    joint.type = RagdollJointType::hinge;
    joint.backAngle = angle("back_angle");
    joint.frontAngle = angle("front_angle");
  } else {
    joint.rotationalFreedom = angle("rotational_freedom");
    joint.bendFreedom = angle("bend_freedom");
  }
  object.rejectUnknown();
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
  JsonObject object =
      readDocument(json, path, "ragdoll", R"(no ragdoll: expected {"sinew": "ragdoll", ...})",
                   "make one with sinew ragdoll MODEL --write ragdoll.json");
  RagdollConfig config;
  object.readIfThere("metres", config.metres);
  object.readIfThere("linear_damping", config.linearDamping);
  object.readIfThere("angular_damping", config.angularDamping);
  object.readIfThere("friction", config.friction);
  object.readIfThere("joint_friction", config.jointFriction);
  object.readIfThere("joint_damping", config.jointDamping);
  for (const JsonValue& body : object.at("bodies").elements("body", ""))
    config.bodies.push_back(readBody(body));
  for (const JsonValue& joint : object.at("joints").elements("joint", ""))
    config.joints.push_back(readJoint(joint));
  object.rejectUnknown();
  checkRagdoll(model, config, path);
  return config;
}

} // namespace sinew
