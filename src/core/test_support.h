// For tests: how far two matrices are apart.
#pragma once

#include "core/transform.h"

#include <algorithm>
#include <cmath>

namespace sinew::test {

// The largest difference of two entries.
inline float largestDifference(const mat4& a, const mat4& b) {
  float largest = 0.0f;
  for (int c = 0; c < 4; ++c)
    for (int r = 0; r < 4; ++r)
      largest = std::max(largest, std::abs(a[c][r] - b[c][r]));
  return largest;
}

} // namespace sinew::test
