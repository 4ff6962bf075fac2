// The product of two affine matrices, whose last rows are 0 0 0 1: a quarter fewer operations than
// the general product, four numbers at a time. The same result, bit for bit.
#pragma once

#include "core/transform.h"

#include <cstring>

namespace sinew {

// The vector extension of GCC and Clang: SSE, NEON or plain code.
using FourFloats = float __attribute__((vector_size(16)));

inline FourFloats loadFour(const vec4& from) {
  FourFloats out;
  std::memcpy(&out, &from, sizeof out);
  return out;
}

inline void storeFour(const FourFloats& what, vec4& to) {
  std::memcpy(&to, &what, sizeof what);
}

inline mat4 affineProduct(const mat4& a, const mat4& b) {
  const FourFloats x = loadFour(a[0]), y = loadFour(a[1]), z = loadFour(a[2]);
  mat4 out;
  for (int i = 0; i < 3; ++i)
    storeFour(x * b[i].x + y * b[i].y + z * b[i].z, out[i]);
  storeFour(x * b[3].x + y * b[3].y + z * b[3].z + loadFour(a[3]), out[3]);
  return out;
}

} // namespace sinew
