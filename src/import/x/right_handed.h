// From the left-handed coordinates of .x files to ours: Z changes its sign, in everything that a
// file says once. Y is up in both.
#pragma once

#include "core/transform.h"

namespace sinew {

inline vec3 rightHanded(const vec3& v) {
  return {v.x, v.y, -v.z};
}
inline quat rightHanded(const quat& q) {
  return {q.w, -q.x, -q.y, q.z};
}
// S M S with S the mirror.
inline mat4 rightHanded(mat4 m) {
  for (int i = 0; i < 4; ++i) {
    m[2][i] = -m[2][i];
    m[i][2] = -m[i][2];
  }
  return m;
}

} // namespace sinew
