// The timeline: where the keys are, the playback range, and what the mouse drags on it.
#pragma once

#include "animation/clip_keys.h"
#include "animation/time_map.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

// From seconds to places on the screen and back.
struct TimeScale {
  float left = 0.0f, width = 1.0f; // ImGui units
  float seconds = 1.0f;            // at the right end

  float toX(float time) const { return left + width * time / seconds; }
  float timeAt(float place) const { return seconds * (place - left) / width; }
};

enum class TimeGrip { none, now, begin, end };

// What is under the mouse: an end of the range within `reach`, else the time itself. Where both
// ends lie on one another, the one that can move that way.
TimeGrip gripAt(const TimeScale& scale, float begin, float end, float place, float reach);

// The places where marks are to be drawn, at most one a unit of the screen: a clip may have
// thousands of keys.
std::vector<float> markPlaces(std::span<const float> times, const TimeScale& scale);

// The last moment of a range that is shown: where it loops, its end is its start again.
float lastMoment(const TimeMap& range);

// The key before or after a time (direction below or above 0); none at the end.
std::optional<float> nextKey(std::span<const float> times, float time, int direction);

struct TimelineUi {
  TimeGrip grip = TimeGrip::none; // being dragged
  // What `keys` are of.
  std::optional<std::uint32_t> clip;
  std::optional<std::uint32_t> node;
  std::vector<float> keys;  // key times of the clip
  std::vector<float> joint; // key times of the selected joint
};

} // namespace sinew
