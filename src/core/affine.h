// The product of two affine matrices, whose last rows are 0 0 0 1: a quarter fewer operations than
// the general product, written so that compilers vectorise it. The same result, bit for bit.
#pragma once

#include "core/transform.h"

namespace sinew {

inline mat4 affineProduct(const mat4& a, const mat4& b) {
  mat4 out;
  for (int i = 0; i < 4; ++i)
    out[i] = a[0] * b[i].x + a[1] * b[i].y + a[2] * b[i].z;
  out[3] += a[3];
  return out;
}

} // namespace sinew
