// Assimp's vectors, quaternions and matrices as ours. Assimp stores matrices by rows.
#pragma once

#include "core/transform.h"

#include <assimp/color4.h>
#include <assimp/matrix4x4.h>
#include <assimp/quaternion.h>
#include <assimp/types.h>
#include <assimp/vector3.h>

#include <string>

namespace sinew {

inline vec3 toVec3(const aiVector3D& v) {
  return {v.x, v.y, v.z};
}
inline vec4 toVec4(const aiColor4D& c) {
  return {c.r, c.g, c.b, c.a};
}
inline quat toQuat(const aiQuaternion& q) {
  return {q.w, q.x, q.y, q.z};
}
inline mat4 toMat4(const aiMatrix4x4& m) {
  return {vec4(m.a1, m.b1, m.c1, m.d1), vec4(m.a2, m.b2, m.c2, m.d2), vec4(m.a3, m.b3, m.c3, m.d3),
          vec4(m.a4, m.b4, m.c4, m.d4)};
}
inline std::string toString(const aiString& s) {
  return {s.data, s.length};
}

} // namespace sinew
