#include "viewer/playback.h"

#include <doctest/doctest.h>

namespace sinew {

TEST_CASE("playback: a loop wraps both ways and keeps playing") {
  Settings settings;
  settings.time = 1.9f;
  advance(settings, 2.0f, 0.3f);
  CHECK(settings.time == doctest::Approx(0.2f));
  settings.speed = -1.0f;
  advance(settings, 2.0f, 0.5f);
  CHECK(settings.time == doctest::Approx(1.7f));
  CHECK(settings.playing);
}

TEST_CASE("playback: without a loop the end stops, and playing starts again") {
  Settings settings;
  settings.loop = false;
  settings.time = 1.9f;
  advance(settings, 2.0f, 0.3f);
  CHECK(settings.time == 2.0f);
  CHECK_FALSE(settings.playing);
  togglePlaying(settings, 2.0f);
  CHECK(settings.playing);
  CHECK(settings.time == 0.0f);
}

TEST_CASE("playback: steps pause and stay in the clip; a clip of no length stays at zero") {
  Settings settings;
  stepTime(settings, 2.0f, -1);
  CHECK_FALSE(settings.playing);
  CHECK(settings.time == doctest::Approx(2.0f - kStepSeconds));
  settings.loop = false;
  stepTime(settings, 2.0f, 5);
  CHECK(settings.time == 2.0f);
  settings.playing = settings.loop = true;
  advance(settings, 0.0f, 1.0f);
  CHECK(settings.time == 0.0f);
}

} // namespace sinew
