// For tests: how often memory has been asked for by operator new, which test_new.cpp replaces.
#pragma once

#include <cstddef>

namespace sinew::test {

// Of the calling thread. 0 where sanitizers have operators of their own: see kCountsNew.
std::size_t newCalls();

#ifdef SINEW_SANITIZED
inline constexpr bool kCountsNew = false;
#else
inline constexpr bool kCountsNew = true;
#endif

} // namespace sinew::test
