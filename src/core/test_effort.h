// The number of cases that long tests try.
#pragma once

namespace sinew::test {

// A sanitized build is about ten times slower, and finds its faults with few cases.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kThorough = false;
#else
inline constexpr bool kThorough = true;
#endif

// How many of something to try.
constexpr int rounds(int thorough, int sanitized) {
  return kThorough ? thorough : sanitized;
}

} // namespace sinew::test
