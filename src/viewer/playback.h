// Where in the clip the viewer is: advancing, stepping, and what happens at the ends.
#pragma once

#include "app/settings.h"

namespace sinew {

inline constexpr float kStepSeconds = 1.0f / 30.0f;

// Moves settings.time by `seconds` of wall clock at settings.speed. Looping wraps around in both
// directions; otherwise the end (or, backwards, the start) stops the playback.
void advance(Settings& settings, float clipSeconds, float seconds);

// Pauses and moves by whole steps; wraps where the clip loops.
void stepTime(Settings& settings, float clipSeconds, int steps);

// Plays or pauses; playing a clip that has come to its end starts it again.
void togglePlaying(Settings& settings, float clipSeconds);

} // namespace sinew
