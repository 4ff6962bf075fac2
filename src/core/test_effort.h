// The number of cases that long tests try, and how often they ask for memory.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace sinew::test {

// Whether to try every case: in a build without sanitizers, where SINEW_THOROUGH is set.
// `scripts/test --all` sets it. A sanitized build is about ten times slower, and finds its faults
// with few cases.
#ifdef SINEW_SANITIZED
inline constexpr bool kSanitized = true; // skipped then: long cases that only compare figures
inline const bool kThorough = false;
#else
inline constexpr bool kSanitized = false;
inline const bool kThorough = std::getenv("SINEW_THOROUGH") != nullptr;
#endif

// How many of something to try; `sanitized` where a sanitized build would take long.
inline int rounds(int thorough, int quick, int sanitized) {
  return kThorough ? thorough : kSanitized ? sanitized : quick;
}
inline int rounds(int thorough, int quick) {
  return rounds(thorough, quick, quick);
}

// Whether measured figures are printed: where SINEW_FIGURES is set. What fails is easier to find
// without them.
inline const bool kFigures = std::getenv("SINEW_FIGURES") != nullptr;

// How often the calling thread has asked for memory by operator new, which test_new.cpp replaces.
// 0 where kSanitized, whose operators are its own.
std::size_t newCalls();

} // namespace sinew::test

// doctest's MESSAGE, for a figure that is worth reading but proves nothing.
#define SINEW_FIGURE(...)                                                                          \
  do {                                                                                             \
    if (sinew::test::kFigures) MESSAGE(__VA_ARGS__);                                               \
  } while (false)
