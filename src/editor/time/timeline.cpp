#include "editor/time/timeline.h"

#include <algorithm>
#include <cmath>

namespace sinew {

TimeGrip gripAt(const TimeScale& scale, float begin, float end, float place, float reach) {
  const float toBegin = std::abs(place - scale.toX(begin));
  const float toEnd = std::abs(place - scale.toX(end));
  if (std::min(toBegin, toEnd) > reach) return TimeGrip::now;
  if (toBegin == toEnd) return place < scale.toX(begin) ? TimeGrip::begin : TimeGrip::end;
  return toBegin < toEnd ? TimeGrip::begin : TimeGrip::end;
}

std::vector<float> markPlaces(std::span<const float> times, const TimeScale& scale) {
  std::vector<float> places;
  for (const float time : times) {
    const float place = std::floor(scale.toX(time));
    if (places.empty() || place > places.back()) places.push_back(place);
  }
  return places;
}

float lastMoment(const TimeMap& range) {
  constexpr float kBefore = 1e-4f; // seconds
  return range.wrap == Wrap::loop ? std::max(range.begin, range.end - kBefore) : range.end;
}

std::optional<float> nextKey(std::span<const float> times, float time, int direction) {
  constexpr float kSame = 1e-4f; // seconds: the key one stands on
  if (direction > 0) {
    const auto after = std::upper_bound(times.begin(), times.end(), time + kSame);
    return after != times.end() ? std::optional(*after) : std::nullopt;
  }
  const auto before = std::lower_bound(times.begin(), times.end(), time - kSame);
  return before != times.begin() ? std::optional(*(before - 1)) : std::nullopt;
}

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
