#include "core/parallel.h"
#include "core/progress.h"

#include <doctest/doctest.h>

#include <atomic>
#include <utility>
#include <vector>

using namespace sinew;

TEST_CASE("progress: stages of pieces from several threads never fall and end where they say") {
  std::vector<std::pair<float, std::string>> told;
  const Progress report = [&](float fraction, std::string_view what) {
    told.emplace_back(fraction, what);
    return true;
  };
  ProgressMeter meter(report);
  meter.startStage("one", 0.25f, 100);
  forEachInParallel(100, [&](std::size_t) { meter.piece(); });
  meter.startStage("two", 1.0f);
  meter.piece();
  REQUIRE(told.size() == 103);
  for (std::size_t i = 1; i < told.size(); ++i)
    CHECK(told[i].first >= told[i - 1].first);
  CHECK(told[100] == std::pair(0.25f, std::string("one")));
  CHECK(told[101] == std::pair(0.25f, std::string("two")));
  CHECK(told.back().first == doctest::Approx(1.0));
}

TEST_CASE("progress: work that is told to stop stops soon") {
  std::atomic<int> done = 0;
  const Progress report = [&](float, std::string_view) { return done < 10; };
  ProgressMeter meter(report);
  CHECK_THROWS_AS(forEachInParallel(100000,
                                    [&](std::size_t) {
                                      ++done;
                                      meter.piece();
                                    }),
                  Cancelled);
  CHECK(done < 1000);
  const Progress none;
  ProgressMeter unheard(none);
  CHECK_NOTHROW(unheard.startStage("anything", 1.0f));
}
