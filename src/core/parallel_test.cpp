#include "core/parallel.h"

#include <doctest/doctest.h>

#include <numeric>
#include <stdexcept>

using namespace sinew;

TEST_CASE("in parallel: every piece once, whatever their number") {
  for (const std::size_t count : {0u, 1u, 2u, 7u, 1000u}) {
    std::vector<int> done(count, 0);
    forEachInParallel(count, [&](std::size_t i) { ++done[i]; });
    CHECK(std::accumulate(done.begin(), done.end(), 0) == static_cast<int>(count));
    CHECK(std::count(done.begin(), done.end(), 1) == static_cast<std::ptrdiff_t>(count));
  }
}

TEST_CASE("in parallel: a failure comes back to who asked") {
  const auto fail = [](std::size_t i) {
    if (i == 5) throw std::runtime_error("five");
  };
  CHECK_THROWS_WITH(forEachInParallel(100, fail), "five");
}
