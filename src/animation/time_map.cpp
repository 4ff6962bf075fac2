#include "animation/time_map.h"

#include <algorithm>
#include <cmath>

namespace sinew {

ClipTime mapTime(const TimeMap& map, double time, float clipSeconds) {
  const float begin = std::clamp(map.begin, 0.0f, clipSeconds);
  const float end = map.end > begin ? std::min(map.end, clipSeconds) : clipSeconds;
  const float span = end - begin;
  if (!(span > 0.0f) || !std::isfinite(time)) return {begin, 0.0};
  double fraction = (time - static_cast<double>(begin)) / static_cast<double>(span);
  double loops = std::floor(fraction);
  if (map.wrap == Wrap::clamp) {
    fraction = std::clamp(fraction, 0.0, 1.0);
    loops = 0.0;
  } else {
    fraction -= loops;
    if (map.wrap == Wrap::pingPong) {
      if (std::fmod(loops, 2.0) != 0.0) fraction = 1.0 - fraction;
      loops = 0.0;
    }
  }
  if (map.reversed) {
    fraction = 1.0 - fraction;
    loops = -loops;
  }
  float shown = warped(map.warp, static_cast<float>(fraction));
  if (map.ease == Ease::smooth) shown = smoothStep(shown);
  return {std::clamp(begin + shown * span, begin, end), loops};
}

bool isMonotone(const std::vector<vec2>& warp) {
  vec2 before(0.0f);
  for (std::size_t i = 0; i < warp.size(); ++i) {
    const vec2& point = warp[i];
    const bool start = i == 0 && point == vec2(0.0f);
    const bool end = i + 1 == warp.size() && point == vec2(1.0f);
    const bool rises = point.x > before.x && point.x < 1.0f && point.y >= before.y;
    if (!start && !end && !(rises && point.y <= 1.0f)) return false;
    before = point;
  }
  return true;
}

float warped(const std::vector<vec2>& warp, float fraction) {
  if (warp.empty() || fraction >= 1.0f) return fraction;
  vec2 before(0.0f);
  vec2 after(1.0f);
  for (const vec2& point : warp) {
    if (fraction < point.x) {
      after = point;
      break;
    }
    before = point;
  }
  return before.y + (after.y - before.y) * (fraction - before.x) / (after.x - before.x);
}

float smoothStep(float x) {
  x = std::clamp(x, 0.0f, 1.0f);
  return x * x * (3.0f - 2.0f * x);
}

} // namespace sinew
