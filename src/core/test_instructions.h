// For tests of what is compiled for several kinds of vector instructions: each of them.
#pragma once

#include <cstdint>
#include <hwy/targets.h>
#include <vector>

namespace sinew::test {

// Kernels use these vector instructions alone, as on a processor that has no better ones.
struct WithInstructions {
  explicit WithInstructions(std::int64_t kind) { hwy::SetSupportedTargetsForTest(kind); }
  WithInstructions(const WithInstructions&) = delete;
  WithInstructions& operator=(const WithInstructions&) = delete;
  ~WithInstructions() { hwy::SetSupportedTargetsForTest(kBest); }

  static constexpr std::int64_t kBest = 0;
};

// The best that this processor has, and lesser ones down to those of every processor.
inline std::vector<std::int64_t> instructionKinds() {
  std::vector<std::int64_t> kinds{WithInstructions::kBest, HWY_EMU128};
  for (const std::int64_t kind : {HWY_SSE4, HWY_AVX2})
    if ((hwy::SupportedTargets() & kind) != 0) kinds.push_back(kind);
  return kinds;
}

} // namespace sinew::test
