#include "animation/time_map.h"
#include "core/random.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;

namespace {

float at(const TimeMap& map, double time) {
  return mapTime(map, time, 4.0f).time;
}

} // namespace

TEST_CASE("a range loops, goes ping-pong, or stops") {
  TimeMap map;
  map.begin = 1.0f;
  map.end = 3.0f;
  CHECK(at(map, 1.5) == doctest::Approx(1.5));
  CHECK(at(map, 3.5) == doctest::Approx(1.5));
  CHECK(at(map, 0.5) == doctest::Approx(2.5));
  CHECK(mapTime(map, 5.5, 4.0f).loops == 2.0);
  CHECK(mapTime(map, 0.5, 4.0f).loops == -1.0);
  map.wrap = Wrap::pingPong;
  CHECK(at(map, 3.5) == doctest::Approx(2.5));
  CHECK(at(map, 4.5) == doctest::Approx(1.5));
  CHECK(at(map, 5.5) == doctest::Approx(1.5));
  CHECK(at(map, 0.5) == doctest::Approx(1.5));
  CHECK(mapTime(map, 9.5, 4.0f).loops == 0.0);
  map.wrap = Wrap::clamp;
  CHECK(at(map, -3.0) == 1.0f);
  CHECK(at(map, 9.0) == 3.0f);
}

TEST_CASE("ping-pong is continuous, and so is the clip's own wrap") {
  TimeMap map;
  map.wrap = Wrap::pingPong;
  for (double time = -9.0; time < 9.0; time += 0.01) {
    CHECK(std::abs(at(map, time + 0.01) - at(map, time)) < 0.0101f);
    CHECK(at(map, time) ==
          doctest::Approx(wrapTime(static_cast<float>(time), 4.0f, Wrap::pingPong)).epsilon(1e-5));
  }
}

TEST_CASE("backwards a loop runs from its end to its start") {
  TimeMap map;
  map.reversed = true;
  CHECK(at(map, 1.0) == doctest::Approx(3.0));
  CHECK(at(map, 5.0) == doctest::Approx(3.0));
  CHECK(mapTime(map, 5.0, 4.0f).loops == -1.0);
}

TEST_CASE("an hour in, time is as fine as at the start") {
  TimeMap map;
  CHECK(at(map, 3600.0 * 4.0 + 1.25) == doctest::Approx(1.25).epsilon(1e-7));
}

TEST_CASE("warped time never runs backwards, starts at the start and ends at the end") {
  Random random(5);
  for (int round = 0; round < 50; ++round) {
    TimeMap map;
    map.wrap = Wrap::clamp;
    vec2 point(0.0f);
    for (int i = 0; i < 4; ++i) {
      point.x += random.uniform(0.01f, 0.24f);
      point.y += random.uniform(0.0f, 0.25f);
      map.warp.push_back(point);
    }
    if (round % 2 == 1) map.ease = Ease::smooth;
    REQUIRE(isMonotone(map.warp));
    CHECK(at(map, 0.0) == 0.0f);
    CHECK(at(map, 4.0) == 4.0f);
    float before = 0.0f;
    for (double time = 0.0; time <= 4.0; time += 0.02) {
      const float now = at(map, time);
      CHECK(now >= before);
      CHECK(now - before < 0.02f * 60.0f); // no jumps: the steepest piece is 0.25 over 0.01
      before = now;
    }
  }
  TimeMap map;
  map.warp = {{0.25f, 0.5f}, {0.5f, 0.5f}};
  CHECK(at(map, 0.5) == doctest::Approx(1.0));
  CHECK(at(map, 1.5) == doctest::Approx(2.0)); // stands still
  CHECK(at(map, 3.0) == doctest::Approx(3.0));
  TimeMap whole = map;
  whole.warp = {{0.0f, 0.0f}, {0.25f, 0.5f}, {0.5f, 0.5f}, {1.0f, 1.0f}};
  for (double time = 0.0; time <= 4.0; time += 0.1)
    CHECK(at(whole, time) == at(map, time));
}

TEST_CASE("points that fall back or leave the range are not monotone") {
  CHECK(isMonotone({}));
  CHECK(isMonotone({{0.0f, 0.0f}, {0.3f, 0.6f}, {1.0f, 1.0f}}));
  CHECK_FALSE(isMonotone({{0.3f, 0.6f}, {0.0f, 0.0f}}));
  CHECK_FALSE(isMonotone({{1.0f, 1.0f}, {0.3f, 0.6f}}));
  CHECK_FALSE(isMonotone({{0.5f, 0.5f}, {0.4f, 0.6f}}));
  CHECK_FALSE(isMonotone({{0.5f, 0.5f}, {0.6f, 0.4f}}));
  CHECK_FALSE(isMonotone({{0.5f, 1.5f}}));
  CHECK_FALSE(isMonotone({{1.0f, 0.5f}}));
  CHECK_FALSE(isMonotone({{NAN, 0.5f}}));
}
