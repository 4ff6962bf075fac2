// Whether numbers can be written: files never hold NaN or infinity.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace sinew {

inline bool allFinite(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(),
                     [](float value) { return std::isfinite(value); });
}

// Of vectors, matrices and the like, which are floats alone.
template <class T>
bool allFiniteIn(std::span<const T> values) {
  static_assert(sizeof(T) % sizeof(float) == 0);
  return allFinite(
      {reinterpret_cast<const float*>(values.data()), values.size_bytes() / sizeof(float)});
}

} // namespace sinew
