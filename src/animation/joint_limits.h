// How far a joint may turn from its rest orientation: the two joints of Lovrovic (Procedural
// Skeletal Animation, 2015, sections 2.1 and 2.2), for inverse kinematics and ragdolls alike.
//
// A turn is told as by turnFromRest() (pose_edit.h): rotation = rest * turn, in the node's own
// axes. All angles in radians.
#pragma once

#include "animation/pose.h"

#include <cstdint>
#include <variant>
#include <vector>

namespace sinew {

// Turns about one axis only, as elbow and knee do.
struct HingeLimit {
  vec3 axis{1.0f, 0.0f, 0.0f}; // unit, the node's own axes
  float back = -3.1415927f;    // least angle about it, at most front
  float front = 3.1415927f;    // greatest
};

// Bends within a cone and turns about its own direction, as shoulder and hip do.
struct UniversalLimit {
  vec3 direction{0.0f, 1.0f, 0.0f}; // of the bone, unit, the node's own axes
  float rotation = 3.1415927f;      // rotational freedom: about the direction, either way
  float bend = 3.1415927f;          // bend freedom: of the direction from where it rests
};

using JointLimit = std::variant<std::monostate, HingeLimit, UniversalLimit>; // none: turns freely
using JointLimits = std::vector<JointLimit>; // one per node, or empty: all turn freely

// A turn taken apart: first about `direction` by `angle` in [-pi, pi], then a bend at right angles
// to it: turn = bend * about.
struct BendAndTwist {
  quat bend{1.0f, 0.0f, 0.0f, 0.0f};
  float angle = 0.0f;
};
BendAndTwist bendAndTwist(const quat& turn, const vec3& direction);

// The turn itself where it is allowed, to the bit; else its parts cut to what is.
quat limitedTurn(const quat& turn, const JointLimit& limit);

// By how many radians a turn leaves what is allowed, at most pi; 0 within.
float limitExcess(const quat& turn, const JointLimit& limit);

// Holds one joint of the pose to its limit. Nodes beyond the limits' number turn freely.
void holdLimit(const Hierarchy& hierarchy, const JointLimits& limits, std::uint32_t node,
               Pose& pose);

} // namespace sinew
