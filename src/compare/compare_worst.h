// Where a comparison is at its worst, and whether that passes a limit.
#pragma once

#include "compare/comparison.h"

namespace sinew {

// Larger is worse. A ratio to the bind pose on the good side of 1 is as good as 1: volume that is
// not lost, and volume that is not gained.
double badness(const Metric& metric, double value);

// Where a metric is worst. moment and region are indices; value is not a number where the metric is
// nowhere defined.
struct Worst {
  double value = DeformationMetrics::kUndefined;
  std::size_t moment = 0;
  std::size_t region = 0;
  std::size_t method = 0;
};

// The worse of two, the first where they are equal or the second is undefined.
Worst worse(const Metric& metric, const Worst& a, const Worst& b);

// The worst over all moments of one region.
Worst findWorst(const Comparison& comparison, const Metric& metric, std::size_t method,
                std::size_t region);

// The worst over all moments, all joints and the whole mesh (joints alone where they are named);
// Metric::ofWhole: the whole mesh alone. A joint comes before the whole where they are equal.
Worst findWorst(const Comparison& comparison, const Metric& metric, std::size_t method);

// "elbow-twist 2.00 s", "135 degrees", or "the pose".
std::string momentName(const Comparison& comparison, std::size_t moment);

// A limit that no method may pass, over all regions measured (where joints are named: theirs
// alone).
struct Limit {
  std::string option; // verbatim
  const Metric* metric = nullptr;
  double value = 0.0; // limit in the metric's own unit
};
// One line for every method and limit that fails; empty: all hold. Positions that are not finite
// fail every limit.
std::vector<std::string> failedLimits(const Comparison& comparison,
                                      const std::vector<Limit>& limits);

} // namespace sinew
