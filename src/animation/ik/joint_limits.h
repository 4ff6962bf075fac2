// How far a joint may rotate from its rest orientation: the two joints of Lovrovic (Procedural
// Skeletal Animation, 2015, sections 2.1 and 2.2), for inverse kinematics and ragdolls.
//
// Rotations are from rest, as in rotationFromRest() (pose_edit.h): local = rest * rotation, in the
// node's own axes. All angles in radians.
#pragma once

#include "animation/pose.h"

#include <cstdint>
#include <variant>
#include <vector>

namespace sinew {

// Rotates about one axis only, like elbow and knee.
struct HingeLimit {
  vec3 axis{1.0f, 0.0f, 0.0f}; // unit, the node's own axes
  float back = -3.1415927f;    // least angle about it, at most front
  float front = 3.1415927f;    // greatest
};

// Bends within a cone and twists about the bone's direction, like shoulder and hip.
struct UniversalLimit {
  vec3 direction{0.0f, 1.0f, 0.0f}; // direction of the bone, unit, the node's own axes
  float rotation = 3.1415927f;      // rotational freedom: about the direction, either way
  float bend = 3.1415927f;          // bend freedom: angle of the direction from rest
};

using JointLimit = std::variant<std::monostate, HingeLimit, UniversalLimit>; // none: free
using JointLimits = std::vector<JointLimit>; // one per node, or empty: all free

// A rotation as a twist about `direction` by `angle` in [-pi, pi], followed by a bend about a
// perpendicular axis: rotation = bend * twist.
struct BendAndTwist {
  quat bend{1.0f, 0.0f, 0.0f, 0.0f};
  float angle = 0.0f;
};
BendAndTwist bendAndTwist(const quat& rotation, const vec3& direction);

// The rotation itself, bit for bit, where the limit allows it; else its parts clamped to the limit.
quat limitedRotation(const quat& rotation, const JointLimit& limit);

// By how many radians a rotation exceeds the limit, at most pi; 0 within.
float limitExcess(const quat& rotation, const JointLimit& limit);

} // namespace sinew
