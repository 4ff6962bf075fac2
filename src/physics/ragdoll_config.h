// The parts of a ragdoll: rigid bodies fitted to the skin of bones, and the joints between them.
// Plain data, fitted by fitRagdoll(), stored as JSON beside the model and edited there (Lovrović,
// Procedural Skeletal Animation, 2015, sections 2 and 4.1).
//
// Bodies are in bind space and in the model's unit; angles are radians here, degrees in the file.
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
  float length = 0.0f;                   // capsule: its straight part, along y
  vec3 halfExtents{0.0f};                // box
  float mass = 0.0f;                     // kg
  float restitution = 0.0f; // fraction of its speed with which it leaves the ground, 0 to 1; two
                            // bodies have the product

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
  // Hinge: from the bind pose about the axis, back <= front, within 360 degrees either way.
  float backAngle = 0.0f;
  float frontAngle = 0.0f;
  // Universal: how far the child rotates about its own direction and bends away from the axis, up
  // to 180 degrees each.
  float rotationalFreedom = 0.0f;
  float bendFreedom = 0.0f;

  bool operator==(const RagdollJoint&) const = default;
};

struct RagdollConfig {
  // The longest side of all bodies in the bind pose in the simulation, so that models of 0.01 and
  // of 100 units fall the same way.
  float metres = 1.75f;
  float linearDamping = 0.05f; // fraction of the velocity lost in a second, 0 to 1
  float angularDamping = 0.3f;
  float friction = 0.4f; // against ground and walls; little of it against other bodies
  // Resistance of the joints, as a fraction of the torque that holds the limb horizontally.
  float jointFriction = 0.02f;
  // Fraction of the relative spin of two joined bodies lost in a second, 0 to 1 (dampJoints()).
  float jointDamping = 0.0f;
  std::vector<RagdollBody> bodies;  // parents before children; the first has no joint
  std::vector<RagdollJoint> joints; // one for every other body, in their order

  bool operator==(const RagdollConfig&) const = default;
};

// Two bodies have the product of their friction, as in Bullet: those of a ragdoll have this
// fraction of `friction`, and what they lie on its inverse. So limbs slide over one another, and do
// not prop one another up.
inline constexpr double kLimbFriction = 0.2;

float computeVolume(const RagdollBody& body); // in the model's unit, cubed

// The box around a body with that rotation, as half extents, in the model's unit.
glm::dvec3 computeReach(const RagdollBody& body, const glm::dquat& rotation);

// The longest side and the height of a ragdoll's bodies in the bind pose, in the model's unit.
struct RagdollSize {
  double longest = 1.0;
  double height = 1.0;
};
// The height of the lowest point of the bodies in the bind pose: where the ground is, so to speak.
double findGround(const RagdollConfig& config);

RagdollSize measureSize(const std::vector<RagdollBody>& bodies);

// Sorts bodies and joints parents first. Throws inputError(path, ...), one line that names body,
// joint and key: an unknown bone, a number that is not finite or out of range, a back angle above
// the front angle, a body without or with two joints, joints in a cycle.
void checkRagdoll(const Model& model, RagdollConfig& config, std::string_view path);

// {"sinew": "ragdoll", ...}: docs/ragdoll.md has an example.
std::string ragdollToJson(const RagdollConfig& config);

// Throws inputError, one line that names the file and the line (bad JSON) or body, joint and key:
// an unknown key or bone, a wrong type, a number that is not finite or out of range, a back angle
// above the front angle, a body without or with two joints, joints in a cycle.
RagdollConfig ragdollFromJson(const Model& model, std::string_view json, std::string_view path);

} // namespace sinew
