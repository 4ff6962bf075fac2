// For tests: what several of them need.
#pragma once

#include "core/random.h"
#include "core/transform.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace sinew::test {

// The largest difference of two entries.
inline float largestDifference(const mat4& a, const mat4& b) {
  float largest = 0.0f;
  for (int c = 0; c < 4; ++c)
    for (int r = 0; r < 4; ++r)
      largest = std::max(largest, std::abs(a[c][r] - b[c][r]));
  return largest;
}

// 0, 1, ..., count - 1.
inline std::vector<std::uint32_t> upTo(std::size_t count) {
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

// In a cube of twice the reach about the origin.
inline vec3 randomPoint(Random& random, float reach) {
  vec3 p;
  for (int i = 0; i < 3; ++i)
    p[i] = random.uniform(-reach, reach);
  return p;
}

} // namespace sinew::test
