#include "core/workers.h"

#include <doctest/doctest.h>

#include <numeric>
#include <stdexcept>

using namespace sinew;

TEST_CASE("kept workers: every piece once in each of many loops, by threads that there are") {
  for (const std::size_t threads : {1u, 2u, 5u}) {
    Workers workers(threads);
    REQUIRE(workers.threads() == threads);
    for (std::size_t loop = 0; loop < 200; ++loop) {
      std::vector<int> done(loop % 17, 0);
      std::vector<int> by(threads, 0);
      workers.forEach(done.size(), [&](std::size_t i, std::size_t thread) {
        ++done[i];
        ++by[thread];
      });
      REQUIRE(std::accumulate(done.begin(), done.end(), 0) == static_cast<int>(done.size()));
      REQUIRE(std::accumulate(by.begin(), by.end(), 0) == static_cast<int>(done.size()));
    }
  }
}

TEST_CASE("kept workers: a failure comes back to who asked, and the next loop runs") {
  Workers workers(3);
  const auto fail = [](std::size_t i, std::size_t) {
    if (i == 5) throw std::runtime_error("five");
  };
  CHECK_THROWS_WITH(workers.forEach(100, fail), "five");
  std::atomic<int> done = 0;
  workers.forEach(100, [&](std::size_t, std::size_t) { ++done; });
  CHECK(done == 100);
}
