// The number of cases that long tests try.
#pragma once

#include <cstdlib>

namespace sinew::test {

// Whether to try every case: in a build without sanitizers, where SINEW_THOROUGH is set.
// `scripts/test
// --all` sets it. A sanitized build is about ten times slower, and finds its faults with few cases.
#ifdef __SANITIZE_ADDRESS__
inline const bool kThorough = false;
#else
inline const bool kThorough = std::getenv("SINEW_THOROUGH") != nullptr;
#endif

// How many of something to try.
inline int rounds(int thorough, int quick) {
  return kThorough ? thorough : quick;
}

} // namespace sinew::test
