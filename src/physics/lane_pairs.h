// Sums and products of short lists of numbers, two at a time in a vector register where their count
// is even. The order of a sum is fixed, so that every machine computes the same bits
// (docs/ragdoll.md): those at even places, those at odd places, then both.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

namespace sinew {

using LanePair = double __attribute__((vector_size(16))); // GCC's and clang's vector extension

inline LanePair loadPair(const double* from) {
  LanePair out;
  std::memcpy(&out, from, sizeof out);
  return out;
}

inline void storePair(double* to, LanePair what) {
  std::memcpy(to, &what, sizeof what);
}

template <std::size_t D>
double dot(const std::array<double, D>& a, const std::array<double, D>& b) {
  static_assert(D == 1 || D % 2 == 0);
  if constexpr (D == 1) {
    return a[0] * b[0];
  } else {
    LanePair sum = loadPair(&a[0]) * loadPair(&b[0]);
    for (std::size_t i = 2; i < D; i += 2)
      sum += loadPair(&a[i]) * loadPair(&b[i]);
    return sum[0] + sum[1];
  }
}

template <std::size_t D>
void add(std::array<double, D>& to, double factor, const std::array<double, D>& what) {
  static_assert(D == 1 || D % 2 == 0);
  if constexpr (D == 1)
    to[0] += factor * what[0];
  else
    for (std::size_t i = 0; i < D; i += 2)
      storePair(&to[i], loadPair(&to[i]) + factor * loadPair(&what[i]));
}

} // namespace sinew
