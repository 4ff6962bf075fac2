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
std::vector<Repaired> listRepairs(const SurfaceRepairs& repairs);

// A line for each kind of repair that occurred, and for each fallback used.
std::vector<std::string> listAnomalies(const WeightReport& report);

// Vertices whose weights do not sum to 1: there should be none.
std::size_t countUnweighted(const Influences& influences);

// The algorithms in the order in which they are offered.
struct WeightAlgorithmEntry {
  WeightAlgorithm algorithm;
  std::string_view word;    // "bone-heat"
  std::string_view title;   // "Bone heat"
  std::string_view summary; // what a vertex belongs to, and the paper
  bool solved;              // on the surface: diffusion and a proxy apply
};
std::span<const WeightAlgorithmEntry> weightAlgorithms();
const WeightAlgorithmEntry& findEntry(WeightAlgorithm algorithm);

std::string_view toString(WeightAlgorithm algorithm);
std::string_view makeTitle(WeightAlgorithm algorithm);
std::string_view toString(WeightProxy proxy); // "none", "voxel", "auto"

} // namespace sinew
