#include "editor/time/playback.h"

#include <algorithm>
#include <cmath>

namespace sinew {

double playedTime(const PlayClock& clock, float time) {
  return clock.shown == time ? clock.played : static_cast<double>(time);
}

void advance(Settings& settings, PlayClock& clock, const TimeMap& range, float seconds) {
  if (!settings.playing) return;
  clock.played = playedTime(clock, settings.time) +
                 static_cast<double>(seconds) * static_cast<double>(settings.speed);
  if (range.wrap == Wrap::clamp) {
    const double inside =
        std::clamp(clock.played, static_cast<double>(range.begin), static_cast<double>(range.end));
    if (inside != clock.played) settings.playing = false;
    clock.played = inside;
  }
  clock.shown = mapTime(range, clock.played, range.end).time;
  settings.time = clock.shown;
}

void stepTime(Settings& settings, const TimeMap& range, float frameSeconds, int steps) {
  settings.playing = false;
  const float frame = std::round(settings.time / frameSeconds) + static_cast<float>(steps);
  TimeMap map = range;
  if (map.wrap == Wrap::pingPong) map.wrap = Wrap::clamp;
  settings.time =
      mapTime(map, static_cast<double>(frame) * static_cast<double>(frameSeconds), range.end).time;
}

void togglePlaying(Settings& settings, const TimeMap& range) {
  settings.playing = !settings.playing;
  if (!settings.playing || range.wrap != Wrap::clamp) return;
  if (settings.speed >= 0.0f && settings.time >= range.end) settings.time = range.begin;
  if (settings.speed < 0.0f && settings.time <= range.begin) settings.time = range.end;
}

} // namespace sinew
