#include "editor/time/timeline.h"

#include <doctest/doctest.h>

namespace sinew {
namespace {

TimeMap makeRange(float begin, float end, Wrap wrap) {
  TimeMap range;
  range.begin = begin;
  range.end = end;
  range.wrap = wrap;
  return range;
}

} // namespace

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

TEST_CASE("playback: a loop wraps both ways and keeps playing, and the time played goes on") {
  Settings settings;
  PlayClock clock;
  const TimeMap range = makeRange(0.0f, 2.0f, Wrap::loop);
  settings.time = 1.9f;
  advance(settings, clock, range, 0.3f);
  CHECK(settings.time == doctest::Approx(0.2f));
  CHECK(playedTime(clock, settings.time) == doctest::Approx(2.2));
  settings.speed = -1.0f;
  advance(settings, clock, range, 0.5f);
  CHECK(settings.time == doctest::Approx(1.7f));
  CHECK(playedTime(clock, settings.time) == doctest::Approx(1.7));
  CHECK(settings.playing);
  settings.time = 0.4f; // dragged there
  CHECK(playedTime(clock, settings.time) == doctest::Approx(0.4));
}

TEST_CASE("playback: ping-pong within a range") {
  Settings settings;
  PlayClock clock;
  const TimeMap range = makeRange(1.0f, 2.0f, Wrap::pingPong);
  settings.time = 1.8f;
  float before = settings.time;
  for (int i = 0; i < 100; ++i) {
    advance(settings, clock, range, 0.07f);
    CHECK(settings.time >= 1.0f);
    CHECK(settings.time <= 2.0f);
    CHECK(std::abs(settings.time - before) < 0.0701f);
    before = settings.time;
  }
  CHECK(settings.playing);
  CHECK(playedTime(clock, settings.time) == doctest::Approx(8.8));
}

TEST_CASE("playback: without a loop the end stops, and playing starts again") {
  Settings settings;
  PlayClock clock;
  const TimeMap range = makeRange(0.5f, 2.0f, Wrap::clamp);
  settings.time = 1.9f;
  advance(settings, clock, range, 0.3f);
  CHECK(settings.time == 2.0f);
  CHECK_FALSE(settings.playing);
  togglePlaying(settings, range);
  CHECK(settings.playing);
  CHECK(settings.time == 0.5f);
}

TEST_CASE("playback: steps pause, go from frame to frame and stay in the range") {
  Settings settings;
  const float frame = 1.0f / 24.0f;
  stepTime(settings, makeRange(0.0f, 2.0f, Wrap::loop), frame, -1);
  CHECK_FALSE(settings.playing);
  CHECK(settings.time == doctest::Approx(2.0f - frame));
  settings.time = 0.51f; // between frames 12 and 13
  stepTime(settings, makeRange(0.0f, 2.0f, Wrap::loop), frame, 1);
  CHECK(settings.time == doctest::Approx(13.0f * frame));
  stepTime(settings, makeRange(0.0f, 2.0f, Wrap::clamp), frame, 500);
  CHECK(settings.time == 2.0f);
  stepTime(settings, makeRange(1.0f, 2.0f, Wrap::pingPong), frame, -500);
  CHECK(settings.time == 1.0f);
}

TEST_CASE("playback: a clip of no length stays at zero") {
  Settings settings;
  PlayClock clock;
  advance(settings, clock, makeRange(0.0f, 0.0f, Wrap::loop), 1.0f);
  CHECK(settings.time == 0.0f);
}

} // namespace sinew
