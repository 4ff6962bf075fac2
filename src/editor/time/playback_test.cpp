#include "editor/time/playback.h"

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
