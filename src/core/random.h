// A small seeded generator (splitmix64, Steele et al. 2014): the same numbers on every platform,
// so that a failing property test can be run again from the seed it prints.
#pragma once

#include "core/transform.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace sinew {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // Uniform in [0, 1).
  float uniform() { return static_cast<float>(next() >> 40) * 0x1p-24f; }
  float uniform(float low, float high) { return low + (high - low) * uniform(); }
  // Uniform in [0, count).
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(next() % count); }

 private:
  std::uint64_t state_;
};

// Uniform over all directions.
inline vec3 randomDirection(Random& random) {
  const float z = random.uniform(-1.0f, 1.0f);
  const float angle = random.uniform(0.0f, 6.2831853f);
  const float r = std::sqrt(std::max(0.0f, 1.0f - z * z));
  return {r * std::cos(angle), r * std::sin(angle), z};
}

} // namespace sinew
