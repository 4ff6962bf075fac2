// Translation, rotation and scale: the local transform of a scene node, and its conversions; rigid
// motions as dual quaternions.
//
// Right-handed, Y up, radians, column vectors (x' = M x). A matrix is named after the spaces it
// joins, destinationFromSource, so that neighbours cancel in a product.
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

// Palettes, vertex buffers and programs that link the installed libraries rely on the layout that
// GLM's types have by default.
static_assert(sizeof(glm::vec3) == 12 && alignof(glm::mat4) == 4,
              "sinew needs GLM without GLM_FORCE_DEFAULT_ALIGNED_GENTYPES");
static_assert(offsetof(glm::quat, x) == 0, "sinew needs GLM without GLM_FORCE_QUAT_DATA_WXYZ");

namespace sinew {

using glm::mat3;
using glm::mat4;
using glm::quat;
using glm::vec2;
using glm::vec3;
using glm::vec4;

// x' = translation + rotation * (scale * x)
struct Transform {
  vec3 translation{0.0f};
  quat rotation{1.0f, 0.0f, 0.0f, 0.0f}; // unit; w first in the constructor
  vec3 scale{1.0f};

  bool operator==(const Transform&) const = default;
};

struct AxisAngle {
  vec3 axis{1.0f, 0.0f, 0.0f}; // unit
  float angle = 0.0f;
};

mat4 toMatrix(const Transform& t);

// The transform whose matrix is nearest to m. A reflection becomes a negative scale.x; shear is
// lost (compare toMatrix() with m where that matters). Zero columns give zero scale and an
// arbitrary rotation of their axes.
Transform decompose(const mat4& m);

// Linear in translation and scale, shortest-arc slerp in rotation. t in [0, 1].
Transform interpolate(const Transform& a, const Transform& b, float t);

// Shortest-arc spherical interpolation of unit quaternions; falls back to a normalised linear one
// where the arc is too small for a sine.
quat slerpShortest(const quat& a, const quat& b, float t);

template <class T>
bool isFinite(const glm::vec<3, T>& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}
template <class T>
bool isFinite(const glm::qua<T>& q) {
  return std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z) && std::isfinite(q.w);
}
bool isFinite(const Transform& t);
bool isFinite(const mat4& m);
// For vectors, matrices and other types that consist of floats alone.
template <class T>
bool allFiniteIn(std::span<const T> values) {
  static_assert(sizeof(T) % sizeof(float) == 0);
  const std::span floats(reinterpret_cast<const float*>(values.data()),
                         values.size_bytes() / sizeof(float));
  return std::all_of(floats.begin(), floats.end(), [](float x) { return std::isfinite(x); });
}

inline vec3 transformPoint(const mat4& m, const vec3& p) {
  return vec3(m * vec4(p, 1.0f));
}
inline vec3 transformVector(const mat4& m, const vec3& v) {
  return mat3(m) * v;
}

// A unit dual quaternion as a rigid motion (Kavan, Collins, Zara, O'Sullivan: Geometric Skinning
// with Approximate Dual Quaternion Blending, 2008). real is the rotation; dual = translation * real
// / 2.
struct DualQuaternion {
  quat real{1.0f, 0.0f, 0.0f, 0.0f};
  quat dual{0.0f, 0.0f, 0.0f, 0.0f};
};

// x' = rotation x + translation; rotation unit.
DualQuaternion dualQuaternion(const quat& rotation, const vec3& translation);

// a after b.
DualQuaternion operator*(const DualQuaternion& a, const DualQuaternion& b);

// Made unit, with real at right angles to dual: again a rigid motion, after a sum of several.
DualQuaternion normalize(const DualQuaternion& q);

// q: a unit dual quaternion.
vec3 getTranslation(const DualQuaternion& q);
vec3 transformPoint(const DualQuaternion& q, const vec3& p);

} // namespace sinew
