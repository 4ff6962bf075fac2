// The report of automatic weights as text, for the command line and the window.
#pragma once

#include "weights/automatic_weights.h"

#include <span>
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

// The algorithms in the order in which they are offered.
struct WeightAlgorithmEntry {
  WeightAlgorithm algorithm;
  std::string_view word;    // "bone-heat"
  std::string_view title;   // "Bone heat"
  std::string_view summary; // who a vertex belongs to, and the paper
  bool solved;              // on the surface: diffusion and a proxy apply
};
std::span<const WeightAlgorithmEntry> weightAlgorithms();
const WeightAlgorithmEntry& entryOf(WeightAlgorithm algorithm);

std::string_view wordOf(WeightAlgorithm algorithm);
std::string_view titleOf(WeightAlgorithm algorithm);
std::string_view wordOf(WeightProxy proxy); // "none", "voxel", "auto"

} // namespace sinew
