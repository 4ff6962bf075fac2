// Maps playback time to the time in a clip: range, loop, ping-pong, reverse, ease and time warp.
#pragma once

#include "animation/sample.h"
#include "core/transform.h"

#include <vector>

namespace sinew {

enum class Ease { linear, smooth };

struct TimeMap {
  float begin = 0.0f; // start of the playback range, seconds
  float end = 0.0f;   // end of the range; not above begin: the clip's end
  Wrap wrap = Wrap::loop;
  bool reversed = false;
  Ease ease = Ease::linear; // smooth: starts and ends at rest
  // Points (played fraction of the range, shown fraction), linear in between; (0, 0) and (1, 1) are
  // implied.
  std::vector<vec2> warp;

  bool operator==(const TimeMap&) const = default;
};

struct ClipTime {
  float time = 0.0f;  // in the clip, seconds
  double loops = 0.0; // completed; negative before the first, and in reverse
};

// time: seconds of the clip, unbounded in both directions; the first loop starts at `begin`.
ClipTime mapTime(const TimeMap& map, double time, float clipSeconds);

// Whether the first coordinates increase and the second do not decrease, all in [0, 1], so that
// time never runs backwards. The end points (0, 0) and (1, 1) may be included.
bool isMonotone(const std::vector<vec2>& warp);

// The warp at a fraction in [0, 1].
float warped(const std::vector<vec2>& warp, float fraction);

// 0 below 0, 1 above 1, with zero slope at both ends.
float smoothStep(float x);

} // namespace sinew
