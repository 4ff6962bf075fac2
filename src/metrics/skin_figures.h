// The figures by which skin in a pose is judged, and what a table says of each.
#pragma once

#include <limits>
#include <span>
#include <string_view>

namespace sinew {

// What is not defined (a cross-section where no skin stands around the bone, the volume of a flat
// sheet) is not a number. Ratios are against the bind pose.
struct SkinFigures {
  static constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

  double volume = kUndefined;       // holes closed, over the bind volume
  double crossSection = kUndefined; // smallest radius of the surface's slices over the bind radius
  double stretch = kUndefined;      // longest edge over its bind length
  double curvature = kUndefined;    // sharpest angle between neighbours, degrees
  double folded = kUndefined;       // share of the edges (by length) where that has grown by 60
  double flipped = kUndefined;      // share of the triangles turned over against the reference
  double selfIntersections = kUndefined; // pairs of triangles that do not cross in the bind pose
  double distance = kUndefined;          // largest to the reference, as a share of the model's size
  double meanDistance = kUndefined;      // mean over the vertices
  double beyond = kUndefined;            // share of the vertices farther than SurveyOptions::beyond
};

// A column of every table: which member, and which way is worse.
struct Measure {
  enum class Worse { lower, higher };

  std::string_view key;      // in JSON and CSV, at one moment
  std::string_view worstKey; // of the worst over all moments
  std::string_view title;    // of that, in prose
  std::string_view heading;  // of that, over a column
  std::string_view unit;
  int decimals;
  Worse worse;
  bool againstLinear; // tells how far from linear blending, not how good
  bool ofWhole;       // told of the whole mesh alone: a count or a mean
  double SkinFigures::*value;
  std::string_view definition; // a sentence or two
};
// Volume stands twice, for it can be lost and gained.
std::span<const Measure> skinMeasures();

} // namespace sinew
