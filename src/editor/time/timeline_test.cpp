#include "editor/time/timeline.h"

#include <doctest/doctest.h>

namespace sinew {

TEST_CASE("time line: places and times are each other's") {
  const TimeScale scale{100.0f, 400.0f, 2.0f};
  CHECK(scale.toX(0.0f) == 100.0f);
  CHECK(scale.toX(2.0f) == 500.0f);
  CHECK(scale.timeAt(scale.toX(0.7f)) == doctest::Approx(0.7f));
}

TEST_CASE("time line: the ends of the range are gripped near them, else the time") {
  const TimeScale scale{0.0f, 100.0f, 1.0f};
  CHECK(gripAt(scale, 0.2f, 0.8f, 22.0f, 5.0f) == TimeGrip::begin);
  CHECK(gripAt(scale, 0.2f, 0.8f, 78.0f, 5.0f) == TimeGrip::end);
  CHECK(gripAt(scale, 0.2f, 0.8f, 50.0f, 5.0f) == TimeGrip::now);
  CHECK(gripAt(scale, 0.5f, 0.5f, 52.0f, 5.0f) == TimeGrip::end);
  CHECK(gripAt(scale, 0.5f, 0.5f, 48.0f, 5.0f) == TimeGrip::begin);
}

TEST_CASE("time line: no more marks than there is room for") {
  std::vector<float> times;
  times.reserve(5000);
  for (int i = 0; i < 5000; ++i)
    times.push_back(static_cast<float>(i) / 5000.0f);
  CHECK(markPlaces(times, {0.0f, 300.0f, 1.0f}).size() == 300);
  CHECK(markPlaces(std::vector{0.0f, 0.5f, 1.0f}, {0.0f, 300.0f, 1.0f}) ==
        std::vector{0.0f, 150.0f, 300.0f});
}

TEST_CASE("time line: the end of a loop shows its last moment, not its first") {
  TimeMap range;
  range.begin = 1.2f;
  range.end = 4.208f;
  CHECK(lastMoment(range) == doctest::Approx(4.208).epsilon(1e-4));
  CHECK(mapTime(range, static_cast<double>(range.end), 6.0f).time == doctest::Approx(1.2));
  CHECK(mapTime(range, static_cast<double>(lastMoment(range)), 6.0f).time > 4.2f);
  range.wrap = Wrap::pingPong;
  CHECK(lastMoment(range) == range.end);
  CHECK(lastMoment(TimeMap{}) == 0.0f);
}

TEST_CASE("time line: the next key is not the one stood on") {
  const std::vector<float> times{0.0f, 0.5f, 1.0f};
  CHECK(nextKey(times, 0.5f, 1) == 1.0f);
  CHECK(nextKey(times, 0.5f, -1) == 0.0f);
  CHECK(nextKey(times, 0.6f, -1) == 0.5f);
  CHECK(!nextKey(times, 1.0f, 1));
  CHECK(!nextKey(times, 0.0f, -1));
  CHECK(!nextKey({}, 0.0f, 1));
}

} // namespace sinew
