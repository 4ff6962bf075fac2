// A clip at a time gives a pose.
#pragma once

#include "animation/pose.h"
#include "model/clip.h"

#include <cstdint>
#include <vector>

namespace sinew {

enum class Wrap { clamp, loop, pingPong };

// Where each track was last sampled: forward playback finds its key in constant time. One cursor
// per playing clip; a fresh (empty) one is always right, only slower on the first call.
struct SampleCursor {
  std::vector<std::uint32_t> keys; // three per channel
};

// Time in seconds brought into the clip: clamped to [0, seconds], wrapped around, or going to and
// fro.
float wrapTime(float time, float seconds, Wrap wrap);

// Translation and scale linear, rotation slerp; before the first and after the last key of a track
// its end value holds. Nodes without a channel keep their rest transform. out is resized.
void sample(const Hierarchy& hierarchy, const Clip& clip, float time, Wrap wrap,
            SampleCursor& cursor, Pose& out);
Pose sample(const Hierarchy& hierarchy, const Clip& clip, float time, Wrap wrap = Wrap::clamp);

} // namespace sinew
