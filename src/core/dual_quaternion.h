// Unit dual quaternions as rigid motions (Kavan, Collins, Zara, O'Sullivan: Geometric Skinning with
// Approximate Dual Quaternion Blending, 2008). real is the rotation; dual = translation * real / 2.
#pragma once

#include "core/transform.h"

namespace sinew {

struct DualQuaternion {
  quat real{1.0f, 0.0f, 0.0f, 0.0f};
  quat dual{0.0f, 0.0f, 0.0f, 0.0f};
};

// x' = rotation x + translation; rotation unit.
DualQuaternion dualQuaternion(const quat& rotation, const vec3& translation);

// a after b.
DualQuaternion operator*(const DualQuaternion& a, const DualQuaternion& b);

// Unit, with real at right angles to dual: a rigid motion again after a sum of several.
DualQuaternion normalize(const DualQuaternion& q);

// Of a unit dual quaternion.
vec3 getTranslation(const DualQuaternion& q);
vec3 transformPoint(const DualQuaternion& q, const vec3& p);

} // namespace sinew
