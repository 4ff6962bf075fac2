// Time that has passed, by the clock that never jumps.
#pragma once

#include <chrono>

namespace sinew {

using Clock = std::chrono::steady_clock;

inline double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

inline double millisecondsSince(Clock::time_point start) {
  return 1e3 * secondsSince(start);
}

} // namespace sinew
