// The timeline: where the keys are, the playback range, what the mouse drags on it, and how
// playback moves.
#pragma once

#include "animation/time_map.h"
#include "app/settings.h"

#include <optional>
#include <span>
#include <vector>

namespace sinew {

// Converts seconds to places on the screen and back.
struct TimeScale {
  float left = 0.0f, width = 1.0f; // ImGui units
  float seconds = 1.0f;            // time at the right end

  float toX(float time) const { return left + width * time / seconds; }
  float timeAt(float place) const { return seconds * (place - left) / width; }
};

enum class TimeGrip { none, now, begin, end };

// What is under the mouse: an end of the range within `reach`, else the time itself. If both ends
// are at one place, it is the one that can move that way.
TimeGrip gripAt(const TimeScale& scale, float begin, float end, float place, float reach);

// The places where marks are to be drawn, at most one a unit of the screen: a clip may have
// thousands of keys.
std::vector<float> markPlaces(std::span<const float> times, const TimeScale& scale);

// The last moment of a range that is shown: where it loops, its end is its start again.
float lastMoment(const TimeMap& range);

// The key before or after a time (direction below or above 0); none at the end.
std::optional<float> nextKey(std::span<const float> times, float time, int direction);

// The position of playback in the clip: advancing, stepping, and what happens at the ends.
//
// Settings::time is the time on the time line. When that wraps around or turns back, the played
// time continues: layers, and root motion that adds up over loops, need it.
struct PlayClock {
  double played = 0.0; // seconds
  float shown = 0.0f;  // the Settings::time that corresponds to it
};

// The clock's time, unless another time has been set.
double playedTime(const PlayClock& clock, float time);

// Moves clock and settings.time by `seconds` of wall clock at settings.speed within the range
// (playedRange(), workbench.h). Looping wraps around in both directions; otherwise the end (or,
// backwards, the start) stops the playback.
void advance(Settings& settings, PlayClock& clock, const TimeMap& range, float seconds);

// Pauses and moves by whole frames, onto a frame; wraps where the clip loops.
void stepTime(Settings& settings, const TimeMap& range, float frameSeconds, int steps);

// Plays or pauses; playing a clip that has come to its end starts it again.
void togglePlaying(Settings& settings, const TimeMap& range);

} // namespace sinew
