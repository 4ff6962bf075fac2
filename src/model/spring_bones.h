// Springs of hair, clothes and tails, as a file states them (VRM): what animation layers swing.
// Nodes are known by name, because a skeleton may lose joints.
#pragma once

#include "core/transform.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sinew {

enum class ColliderShape : std::uint8_t { sphere, capsule, plane };

// What springs stay outside of, or inside.
struct SpringCollider {
  std::string node;
  ColliderShape shape = ColliderShape::sphere;
  bool inside = false; // springs stay within the sphere or capsule
  vec3 offset{0.0f};   // the node's space, as all below
  float radius = 0.0f;
  vec3 end{0.0f}; // the capsule's other end; the plane's normal
};

// A joint that rotates so that its tail, a joint below it, swings.
struct SpringJoint {
  std::string node;
  std::string tail;       // empty: a tail along the joint's own translation
  float endLength = 0.0f; // length of the tail where `tail` is empty
  float stiffness = 1.0f;
  float drag = 0.4f; // 0: swings freely, 1: has no inertia
  vec3 gravity{0.0f};
  float radius = 0.0f; // radius of the tail, against colliders
};

struct Spring {
  std::string name;
  std::string center; // the node whose motion has no effect; empty: none
  std::vector<SpringJoint> joints;
  std::vector<std::uint32_t> colliderGroups;
};

struct SpringBones {
  std::vector<SpringCollider> colliders;
  std::vector<std::vector<std::uint32_t>> colliderGroups; // indices of colliders
  std::vector<Spring> springs;
};

} // namespace sinew
