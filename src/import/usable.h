// Numbers of a file that can be computed with: finite, and so small that squares, products and sums
// of them are finite too.
#pragma once

#include "core/transform.h"

#include <cmath>

namespace sinew {

inline constexpr float kMaxUsable = 1e15f;

inline bool isUsable(float value) {
  return std::abs(value) <= kMaxUsable; // false for what is not a number
}
inline bool isUsable(const vec3& v) {
  return isUsable(v.x) && isUsable(v.y) && isUsable(v.z);
}
inline bool isUsable(const quat& q) {
  return isUsable(q.x) && isUsable(q.y) && isUsable(q.z) && isUsable(q.w);
}
inline bool isUsable(const mat4& m) {
  for (int column = 0; column < 4; ++column)
    if (!isUsable(vec3(m[column])) || !isUsable(m[column].w)) return false;
  return true;
}

} // namespace sinew
