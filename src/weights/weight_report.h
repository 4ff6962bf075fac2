// The report of automatic weights as text, for the command line and the window.
#pragma once

#include "weights/automatic_weights.h"

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct Repaired {
  const char* key; // in JSON
  std::size_t count = 0;
  const char* text; // after the count
};
std::vector<Repaired> repairedOf(const SurfaceRepairs& repairs);

// A line for each kind of repair that occurred, and for each fallback used.
std::vector<std::string> odditiesOf(const WeightReport& report);

// Vertices whose weights do not sum to 1: there should be none.
std::size_t countUnweighted(const Influences& influences);

std::string_view wordOf(WeightAlgorithm algorithm);  // "bone-heat", "bone-glow"
std::string_view titleOf(WeightAlgorithm algorithm); // "Bone heat", "Bone glow"

} // namespace sinew
