// Shared by bones blending and arc-splines, each frame: the motion of a joint relative to its
// parent, in bind space: M(p)^-1 M(j) = A(j) T(j) A(j)^-1.
#pragma once

#include "core/transform.h"

namespace sinew {

// A linear map as scale * rotation * stretch.
struct ScaledRotation {
  quat rotation{1.0f, 0.0f, 0.0f, 0.0f}; // unit
  float scale = 1.0f;                    // negative where the map mirrors
  mat3 stretch{1.0f};                    // symmetric
  float noise = 0.0f;                    // stretchNoise() of the stretch
};
ScaledRotation scaledRotation(const mat3& m);

// M of a bone, with its linear part as that.
struct BoneMotion {
  mat4 modelFromBind{1.0f};
  ScaledRotation linear;
};

// M(j) x = M(p) (center + shift + rotation (stretch (x - center))).
struct JointMotion {
  BoneMotion parent;                     // M(p)
  quat rotation{1.0f, 0.0f, 0.0f, 0.0f}; // Q(j), the shorter way: w >= 0
  mat3 stretch{1.0f};                    // symmetric
  vec3 shift{0.0f};                      // moves the centre; exactly zero for a rotation alone
  float noise = 0.0f;                    // stretchNoise() of the stretch

  // Whether its skin may be moved as if M(p) scaled uniformly at most and the joint stretched
  // nothing: isRigid() of both noises together.
  bool isRigidFor(float reach, float size) const;
};

// Where M(p) is singular, no motion relative to it exists: M(p) is replaced by M(j) and the joint
// does not move, so all vertices follow the joint.
JointMotion jointMotion(const BoneMotion& parent, const BoneMotion& joint, const vec3& center);

// A rotation as axis and angle in [0, pi]. At 180 degrees both axes are valid: the result is
// the one in the half space of `along`, so that a twist by 180 degrees has a consistent direction.
AxisAngle axisAngle(const quat& rotation, const vec3& along);

} // namespace sinew
