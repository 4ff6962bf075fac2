// The deformation metrics of skin in a pose, and their descriptions for tables.
#pragma once

#include <limits>
#include <span>
#include <string_view>

namespace sinew {

// Undefined values (a cross-section where no skin encloses the bone, the volume of a flat sheet)
// are NaN. Ratios are relative to the bind pose.
struct DeformationMetrics {
  static constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

  double volume = kUndefined;       // holes closed, over the bind volume
  double crossSection = kUndefined; // smallest radius of the surface's slices over the bind radius
  double stretch = kUndefined;      // longest edge over its bind length
  double curvature = kUndefined;    // sharpest angle between neighbours, degrees
  double folded = kUndefined;       // fraction of the edges (by length) where that has grown by 60
  double flipped = kUndefined;      // fraction of the triangles flipped relative to the reference
  double selfIntersections = kUndefined; // pairs of triangles that do not cross in the bind pose
  double distance = kUndefined;          // largest to the reference, relative to the model's size
  double meanDistance = kUndefined;      // mean over the vertices
  double beyond = kUndefined; // fraction of the vertices farther than AnalysisOptions::beyond
};

// A column of the tables: the member, and which direction is worse.
struct Metric {
  enum class Worse { lower, higher };

  std::string_view key;      // name in JSON and CSV, for one moment
  std::string_view worstKey; // name for the worst value over all moments
  std::string_view title;    // title for the worst value, in prose
  std::string_view heading;  // heading of a column with the worst value
  std::string_view unit;
  int decimals;
  Worse worse;
  bool againstLinear; // a difference from linear blending, not a quality
  bool ofWhole;       // reported for the whole mesh only: a count or a mean
  double DeformationMetrics::*value;
  std::string_view definition; // a sentence or two
};
// Volume is listed twice, because it can be lost and gained.
std::span<const Metric> allMetrics();

} // namespace sinew
