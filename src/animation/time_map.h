// From the time that plays to the time in a clip: range, loops, to and fro, backwards, faster here
// and slower there.
#pragma once

#include "animation/sample.h"
#include "core/transform.h"

#include <vector>

namespace sinew {

enum class Ease { linear, smooth };

struct TimeMap {
  float begin = 0.0f; // of the range that plays, seconds
  float end = 0.0f;   // not above begin: the clip's end
  Wrap wrap = Wrap::loop;
  bool reversed = false;
  Ease ease = Ease::linear; // smooth: starts and ends at rest
  // Points (share of the range that has gone, share that is shown), between (0, 0) and (1, 1), both
  // of which are understood; straight in between.
  std::vector<vec2> warp;

  bool operator==(const TimeMap&) const = default;
};

struct ClipTime {
  float time = 0.0f;  // in the clip, seconds
  double loops = 0.0; // whole ones behind; negative before the first, and where it plays backwards
};

// time: seconds, as the clip counts them, going on for ever in both directions; at `begin` the
// first loop starts.
ClipTime mapTime(const TimeMap& map, double time, float clipSeconds);

// Whether the first coordinates rise and the second do not fall, all in [0, 1]: then time never
// runs backwards. The ends (0, 0) and (1, 1) may be said as well.
bool isMonotone(const std::vector<vec2>& warp);

// Where the warp puts a share in [0, 1].
float warped(const std::vector<vec2>& warp, float share);

// 0 below 0, 1 above 1, level at both ends.
float smoothStep(float x);

} // namespace sinew
