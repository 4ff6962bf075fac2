// What a ragdoll is made of: rigid bodies fitted to the skin that bones carry, and the joints
// between them. Plain data, fitted by fitRagdoll(), kept as JSON beside the model and edited there
// (Lovrović, Procedural Skeletal Animation, 2015, sections 2 and 4.1).
//
// Bodies stand in bind space and in the model's unit; angles are radians here, degrees in the file.
#pragma once

#include "model/model.h"

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

enum class BodyShape { capsule, box };

// One rigid body. Its own space has its centre of mass at the origin; y is the bone's direction.
struct RagdollBody {
  std::string bone;                // the node that moves with it, and names it
  std::vector<std::string> merged; // small bones whose skin it carries too
  BodyShape shape = BodyShape::capsule;
  vec3 center{0.0f};                     // bind space
  quat rotation{1.0f, 0.0f, 0.0f, 0.0f}; // bind space from body
  float radius = 0.0f;                   // capsule
  float length = 0.0f;                   // capsule: of the straight part, along y
  vec3 halfExtents{0.0f};                // box
  float mass = 0.0f;                     // kg

  bool operator==(const RagdollBody&) const = default;
};

enum class RagdollJointType { hinge, universal };

// The joint between a body and its parent. Anchor and axis are in the parent body's space.
struct RagdollJoint {
  std::string child;
  std::string parent;
  RagdollJointType type = RagdollJointType::universal;
  vec3 anchor{0.0f};
  vec3 axis{0.0f, 1.0f, 0.0f}; // unit; a hinge's axis, or the middle of a universal joint's bending
  // Hinge: from the bind pose about the axis, back <= front, within a turn either way.
  float backAngle = 0.0f;
  float frontAngle = 0.0f;
  // Universal: the most the child turns about its own direction, and bends away from the axis; up
  // to half a turn.
  float rotationalFreedom = 0.0f;
  float bendFreedom = 0.0f;

  bool operator==(const RagdollJoint&) const = default;
};

struct RagdollConfig {
  // The body's longest side in the bind pose, as the simulation has it: what makes a model of
  // 0.01 or of 100 units fall the same way.
  float metres = 1.75f;
  float linearDamping = 0.05f; // share of the velocity lost in a second, 0 to 1
  float angularDamping = 0.3f;
  float friction = 0.5f; // against ground, walls and other bodies
  // Resistance of the joints, as a share of the torque that holds the limb out level.
  float jointFriction = 0.02f;
  std::vector<RagdollBody> bodies;  // parents before children; the first has no joint
  std::vector<RagdollJoint> joints; // one for every other body, in their order

  bool operator==(const RagdollConfig&) const = default;
};

float volumeOf(const RagdollBody& body); // in the model's unit, cubed

// The box around a body turned so, as half extents, in the model's unit.
glm::dvec3 reachOf(const RagdollBody& body, const glm::dquat& rotation);

// The longest side and the height of a ragdoll's bodies in the bind pose, in the model's unit.
struct RagdollSize {
  double longest = 1.0;
  double height = 1.0;
};
// The height of the lowest point of the bodies in the bind pose: where the ground is, so to speak.
double groundOf(const RagdollConfig& config);

RagdollSize sizeOf(const std::vector<RagdollBody>& bodies);

// {"sinew": "ragdoll", ...}: docs/ragdoll.md has an example.
std::string ragdollToJson(const RagdollConfig& config);

// Throws inputError, one line that names the file and the line (bad JSON) or body, joint and key:
// an unknown key or bone, a wrong type, a number that is not finite or out of range, a back angle
// above the front angle, a body without or with two joints, joints in a circle.
RagdollConfig ragdollFromJson(const Model& model, std::string_view json, std::string_view path);

// The checks above on a value, for editors: throws inputError(path, ...).
void checkRagdoll(const Model& model, RagdollConfig& config, std::string_view path);

} // namespace sinew
