// What bones blending and arc-splines share each frame: the movement a joint makes against its
// parent, seen in bind space, where it is M(p)^-1 M(j) = A(j) T(j) A(j)^-1.
#pragma once

#include "core/transform.h"

namespace sinew {

// M(j) x = M(p) (center + shift + turn (stretch (x - center))).
struct JointMotion {
  mat4 modelFromBind{1.0f};          // M(p)
  quat turn{1.0f, 0.0f, 0.0f, 0.0f}; // Q(j), the shorter way: w >= 0
  mat3 stretch{1.0f};                // symmetric
  vec3 shift{0.0f};                  // of the joint's centre; exactly zero for a mere rotation
  bool rigid = true;                 // M(p) scales uniformly at most, and the joint only turns
};

// Where M(p) flattens, so that no movement against it can be found, everything follows the joint:
// M(p) is replaced by M(j) and the joint does not move.
JointMotion jointMotion(const mat4& parentFromBind, const mat4& jointFromBind, const vec3& center);

// A rotation as axis and angle in [0, pi]. At half a turn both axes are right: the one that does
// not point against `along` is taken, so that a twist by 180 degrees always goes the same way.
struct AxisAngle {
  vec3 axis{1.0f, 0.0f, 0.0f};
  float angle = 0.0f;
};
AxisAngle axisAngle(const quat& turn, const vec3& along);

} // namespace sinew
