// Spring bones of VRM 1 (VRMC_springBone 1.0, vrm-c/vrm-specification): the tail of each bone moves
// by its inertia, by gravity and back towards the pose below; then it is put at the bone's length
// and out of colliders. A tail at x, with the joint at p and the bone of the pose below along b:
//
//   x' = x + (x - x_before) (1 - drag) + stiffness dt b + gravity dt
//   x' = p + length (x' - p) / |x' - p|
//
// Joints are updated from the root on, each over those above it that have moved. The lag is of
// steps of 1/60 s, which is how often such files expect to be updated; a part of a step moves a
// tail by that part.
#pragma once

#include "animation/pose.h"
#include "model/spring_bones.h"

#include <cstdint>
#include <vector>

namespace sinew {

inline constexpr double kSpringBoneStep = 1.0 / 60.0; // seconds

struct SpringBone {
  std::uint32_t node = 0;
  std::uint32_t tail = kNoNode; // below it; none: a tail along the joint's own translation
  float endLength = 0.0f;       // length of the tail without a tail node
  float stiffness = 1.0f;       // model units per second
  float drag = 0.4f;            // in [0, 1]
  vec3 gravity{0.0f};           // model units per second
  float radius = 0.0f;          // radius of the tail, against colliders
};

struct SpringBoneCollider {
  std::uint32_t node = 0;
  SpringCollider shape;
};

// Joints in ascending order, each once. center: tails keep still as seen from it; kNoNode: as seen
// from model space.
struct SpringBoneSet {
  std::vector<SpringBone> bones;
  std::vector<SpringBoneCollider> colliders;
  std::uint32_t center = kNoNode;
  // All nodes that these depend on, ascending, and for each the place of its parent among them.
  std::vector<std::uint32_t> nodes;
  std::vector<std::uint32_t> parents;
};

// Lists the nodes.
void findNodes(const Hierarchy& hierarchy, SpringBoneSet& set);

struct SpringBoneState {
  bool started = false;
  std::vector<vec3> tail;  // position per bone, in the space of the center
  std::vector<vec3> moved; // motion per bone in a step of 1/60 s
};

// Advances the state by dt seconds to the given pose and rotates the joints. A state that has not
// started begins at rest in that pose.
void applySpringBones(const SpringBoneSet& set, double dt, SpringBoneState& state, Pose& pose);

// What is missing between a point and the collider's surface, along `direction`; 0 where it is
// outside. modelFromNode: the collider's.
struct ColliderPush {
  vec3 direction{0.0f};
  float depth = 0.0f;
};
ColliderPush computePush(const SpringCollider& collider, const mat4& modelFromNode,
                         const vec3& point, float radius);

} // namespace sinew
