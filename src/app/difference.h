// How far each method of a workbench puts every vertex from where a reference method puts it.
#pragma once

#include "skinning/method.h"

#include <span>
#include <string>
#include <vector>

namespace sinew {

// Lengths are shares of the model's size.
struct Difference {
  std::vector<float> shares; // per vertex of the rig
  float largest = 0.0f;
  float mean = 0.0f;      // mean over the vertices
  bool reference = false; // it is the reference itself, with the same parameters
};

// Both are positions in model space, in the rig's order; size: the model's (Bounds::size()).
Difference computeDifference(std::span<const vec3> places, std::span<const vec3> reference,
                             float size);

// The upper end of a colour scale for values up to `largest`: the next of 1, 2 and 5 times a power
// of ten, at least 0.0001, below which rounding would be shown.
float scaleEndFor(float largest);

// Formats a share: "3.21 %".
std::string percentText(float share);

} // namespace sinew
