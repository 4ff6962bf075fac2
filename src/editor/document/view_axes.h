// The axes in a corner of the picture: where their ends are seen, and what a click on one shows.
#pragma once

#include "app/settings.h"

#include <array>
#include <optional>
#include <span>

namespace sinew {

struct AxisEnd {
  int axis = 0; // x, y, z
  bool positive = true;
  vec2 at{0.0f};      // on the screen, right and down; of length 1 where it is seen from the side
  float depth = 0.0f; // towards the eye
};

// The six ends, the farthest first. yaw and pitch in degrees, as in the settings.
std::array<AxisEnd, 6> axisEnds(float yaw, float pitch);

// The nearest to the eye within `reach` of a place, in the same units.
std::optional<AxisEnd> axisEndAt(std::span<const AxisEnd> ends, const vec2& place, float reach);

// Looks at the model from that end; from where the camera is already, from the other end.
void lookFrom(Settings& settings, const AxisEnd& end);

} // namespace sinew
