#include "physics/ragdoll_config.h"

#include "core/error.h"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

namespace sinew {
namespace {

constexpr float kMaxNumber = 1e9f; // for lengths and masses: their products stay finite

// Errors of one file.
class Checker {
 public:
  Checker(const Model& model, std::string_view path) : model_(model), path_(path) {}

  void number(const std::string& where, float value, float low, float high) const {
    if (!(value >= low && value <= high)) // also what is not a number
      throw inputError(path_,
                       fmt::format("{} is {}; it must be {} to {}", where, value, low, high));
  }

  void positive(const std::string& where, float value) const {
    if (!(value > 0.0f && value <= kMaxNumber))
      throw inputError(path_, fmt::format("{} is {}; it must be above 0 and at most {}", where,
                                          value, kMaxNumber));
  }

  void bone(const std::string& where, const std::string& name) const {
    if (!findNode(model_.hierarchy, name))
      throw inputError(path_, fmt::format("{}: the model has no bone '{}'", where, name));
  }

  void vector(const std::string& where, const vec3& v) const {
    for (int axis = 0; axis < 3; ++axis)
      number(where, v[axis], -kMaxNumber, kMaxNumber);
  }

  Error error(const std::string& what) const { return inputError(path_, what); }

 private:
  const Model& model_;
  std::string_view path_;
};

void checkBody(const Checker& check, RagdollBody& body) {
  const auto where = [&](const char* key) {
    return fmt::format("'{}' of body '{}'", key, body.bone);
  };
  check.bone("body", body.bone);
  for (const std::string& name : body.merged)
    check.bone(where("merged"), name);
  check.vector(where("center"), body.center);
  const float length = glm::length(body.rotation);
  if (!(length > 1e-6f && length < 1e6f))
    throw check.error(where("rotation") + " is not a rotation");
  if (std::abs(length - 1.0f) > 1e-6f) body.rotation = glm::normalize(body.rotation);
  check.positive(where("mass"), body.mass);
  check.number(where("restitution"), body.restitution, 0.0f, 1.0f);
  if (body.shape == BodyShape::capsule) {
    check.positive(where("radius"), body.radius);
    check.number(where("length"), body.length, 0.0f, kMaxNumber);
  } else {
    for (int axis = 0; axis < 3; ++axis)
      check.positive(where("half_extents"), body.halfExtents[axis]);
  }
}

// How far from the origin an anchor may be: rounding in a step grows with it.
float reachOfAnchors(const std::vector<RagdollBody>& bodies) {
  constexpr float kSizes = 100.0f;
  float farthest = 0.0f;
  for (const RagdollBody& body : bodies)
    farthest = std::max(farthest, glm::length(body.center));
  return farthest + kSizes * static_cast<float>(measureSize(bodies).longest);
}

void checkJoint(const Checker& check, RagdollJoint& joint, float reach) {
  const auto where = [&](const char* key) {
    return fmt::format("'{}' of joint '{}'", key, joint.child);
  };
  for (int axis = 0; axis < 3; ++axis)
    check.number(where("anchor"), joint.anchor[axis], -reach, reach);
  check.vector(where("axis"), joint.axis);
  const float length = glm::length(joint.axis);
  if (!(length > 1e-6f)) throw check.error(where("axis") + " has no direction");
  if (std::abs(length - 1.0f) > 1e-6f) joint.axis /= length;
  if (joint.type == RagdollJointType::hinge) {
    check.number(where("back_angle"), joint.backAngle, -std::numbers::pi_v<float>,
                 std::numbers::pi_v<float>);
    check.number(where("front_angle"), joint.frontAngle, -std::numbers::pi_v<float>,
                 std::numbers::pi_v<float>);
    if (joint.backAngle > joint.frontAngle)
      throw check.error(where("back_angle") + " is above 'front_angle'");
  } else {
    check.number(where("rotational_freedom"), joint.rotationalFreedom, 0.0f,
                 std::numbers::pi_v<float>);
    check.number(where("bend_freedom"), joint.bendFreedom, 0.0f, std::numbers::pi_v<float>);
  }
}

// Sorts bodies and joints parents first; every body but one has a joint to its parent.
void sortByTree(const Checker& check, RagdollConfig& config) {
  std::map<std::string, const RagdollBody*> bodies;
  for (const RagdollBody& body : config.bodies)
    if (!bodies.emplace(body.bone, &body).second)
      throw check.error(fmt::format("body '{}' exists twice", body.bone));
  std::map<std::string, const RagdollJoint*> jointByChild;
  for (const RagdollJoint& joint : config.joints) {
    for (const std::string& name : {joint.child, joint.parent})
      if (!bodies.contains(name))
        throw check.error(fmt::format("joint '{}': there is no body '{}'", joint.child, name));
    if (joint.child == joint.parent)
      throw check.error(fmt::format("joint '{}' joins a body to itself", joint.child));
    if (!jointByChild.emplace(joint.child, &joint).second)
      throw check.error(fmt::format("body '{}' has two joints", joint.child));
  }
  RagdollConfig sorted = config;
  sorted.bodies.clear();
  sorted.joints.clear();
  std::set<std::string> done;
  for (bool progress = true; progress;) {
    progress = false;
    for (const RagdollBody& body : config.bodies) {
      const auto joint = jointByChild.find(body.bone);
      const bool root = joint == jointByChild.end();
      if (done.contains(body.bone) || (!root && !done.contains(joint->second->parent))) continue;
      if (root && !done.empty())
        throw check.error(fmt::format("body '{}' has no joint; only '{}' may have none", body.bone,
                                      sorted.bodies.front().bone));
      done.insert(body.bone);
      sorted.bodies.push_back(body);
      if (!root) sorted.joints.push_back(*joint->second);
      progress = true;
    }
  }
  for (const RagdollBody& body : config.bodies)
    if (!done.contains(body.bone))
      throw check.error(fmt::format("joint '{}' is part of a cycle", body.bone));
  config = std::move(sorted);
}

} // namespace

float computeVolume(const RagdollBody& body) {
  if (body.shape == BodyShape::box)
    return 8.0f * body.halfExtents.x * body.halfExtents.y * body.halfExtents.z;
  return std::numbers::pi_v<float> * body.radius * body.radius *
         (body.length + 4.0f / 3.0f * body.radius);
}

glm::dvec3 computeReach(const RagdollBody& body, const glm::dquat& rotation) {
  if (body.shape == BodyShape::capsule)
    return glm::abs(rotation * glm::dvec3(0.0, 0.5 * static_cast<double>(body.length), 0.0)) +
           static_cast<double>(body.radius);
  const glm::dmat3 axes = glm::mat3_cast(rotation);
  const glm::dvec3 half(body.halfExtents);
  return glm::abs(axes[0]) * half.x + glm::abs(axes[1]) * half.y + glm::abs(axes[2]) * half.z;
}

double findGround(const RagdollConfig& config) {
  double lowest = 1e300;
  for (const RagdollBody& body : config.bodies)
    lowest = std::min(lowest, static_cast<double>(body.center.y) -
                                  computeReach(body, glm::dquat(body.rotation)).y);
  return lowest;
}

RagdollSize measureSize(const std::vector<RagdollBody>& bodies) {
  glm::dvec3 low(1e300);
  glm::dvec3 high(-1e300);
  for (const RagdollBody& body : bodies) {
    const glm::dvec3 reach = computeReach(body, glm::dquat(body.rotation));
    low = glm::min(low, glm::dvec3(body.center) - reach);
    high = glm::max(high, glm::dvec3(body.center) + reach);
  }
  const glm::dvec3 extent = high - low;
  return {std::max({extent.x, extent.y, extent.z}), extent.y};
}

void checkRagdoll(const Model& model, RagdollConfig& config, std::string_view path) {
  const Checker check(model, path);
  check.number("'metres'", config.metres, 0.01f, 1000.0f);
  check.number("'linear_damping'", config.linearDamping, 0.0f, 1.0f);
  check.number("'angular_damping'", config.angularDamping, 0.0f, 1.0f);
  check.number("'friction'", config.friction, 0.0f, 100.0f);
  check.number("'joint_friction'", config.jointFriction, 0.0f, 100.0f);
  check.number("'joint_damping'", config.jointDamping, 0.0f, 1.0f);
  if (config.bodies.empty()) throw check.error("'bodies' is empty");
  for (RagdollBody& body : config.bodies)
    checkBody(check, body);
  const float reach = reachOfAnchors(config.bodies);
  for (RagdollJoint& joint : config.joints)
    checkJoint(check, joint, reach);
  sortByTree(check, config);
}

} // namespace sinew
