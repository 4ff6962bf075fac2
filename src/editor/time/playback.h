// Where in the clip playback is: advancing, stepping, and what happens at the ends.
//
// Settings::time is the time on the time line. Where that wraps around or turns back, the time that
// has been played goes on: layers, and a way that adds up over loops, need it.
#pragma once

#include "animation/time_map.h"
#include "app/settings.h"

namespace sinew {

struct PlayClock {
  double played = 0.0; // seconds
  float shown = 0.0f;  // Settings::time that goes with it
};

// The clock's, unless somebody has set another time.
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
