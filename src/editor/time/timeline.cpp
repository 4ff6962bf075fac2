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

} // namespace sinew
