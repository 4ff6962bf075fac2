// How much tests that go over many cases do.
#pragma once

namespace sinew::test {

// A sanitized build takes some ten times as long, and looks for faults that few cases show.
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
