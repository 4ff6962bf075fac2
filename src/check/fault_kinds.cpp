#include "check/fault_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

constexpr double kCandyTwist = 60.0; // degrees of twist from which a thin place is a candy wrapper

double positive(double value) {
  return value > 0.0 ? value : 0.0; // not a number too
}

double thicknessLost(const JointShape& shape) {
  return std::min(1.0, positive(1.0 - shape.section));
}

double collapse(const JointShape& shape) {
  return std::abs(shape.twist) < kCandyTwist ? thicknessLost(shape) : 0.0;
}
double candyWrapper(const JointShape& shape) {
  return std::abs(shape.twist) < kCandyTwist ? 0.0 : thicknessLost(shape);
}
double bulge(const JointShape& shape) {
  return positive(shape.volume - 1.0);
}
double fold(const JointShape& shape) {
  return positive(shape.folded);
}
double crossing(const JointShape& shape) {
  return positive(shape.crossing);
}

double thickness(const JointShape& shape) {
  return 100.0 * shape.section;
}
double volume(const JointShape& shape) {
  return 100.0 * shape.volume;
}
double folded(const JointShape& shape) {
  return 100.0 * shape.folded;
}
double crossed(const JointShape& shape) {
  return 100.0 * shape.crossing;
}

} // namespace

std::span<const FaultKind> faultKinds() {
  static constexpr std::array kKinds{
      FaultKind{"collapse", "radius of the thinnest slice over that in the bind pose", 0.3,
                "{joint} collapses to {percent} % {where}.", collapse, thickness},
      FaultKind{
          "candy-wrapper",
          "radius of the thinnest slice over that in the bind pose, twisted by 60 degrees or more",
          0.3, "{joint} shrinks to {percent} % of its thickness {where}: a candy wrapper.",
          candyWrapper, thickness},
      FaultKind{"bulge", "volume over that in the bind pose", 0.3,
                "{joint} bulges to {percent} % of its volume {where}.", bulge, volume},
      FaultKind{"fold", "share of the edges whose angle grows by 60 degrees", 0.2,
                "{joint} folds {percent} % of its skin {where}.", fold, folded},
      FaultKind{"self-intersection", "crossing pairs of triangles, over the number of triangles",
                1.0,
                "{joint} pushes its skin through itself {where}: {percent} crossings for every 100 "
                "triangles.",
                crossing, crossed},
  };
  return kKinds;
}

double computeSeverity(const FaultKind& kind, const JointShape& shape, double threshold) {
  return kind.damage(shape) / (threshold > 0.0 ? threshold : kind.threshold);
}

std::string figureText(const FaultKind& kind, const JointShape& shape) {
  const double percent = kind.percent(shape);
  return shape.broken || !std::isfinite(percent) ? "none" : fmt::format("{:.0f} %", percent);
}

const FaultKind& worstKind(const JointShape& shape, double threshold) {
  return *std::ranges::max_element(faultKinds(), {}, [&](const FaultKind& kind) {
    return computeSeverity(kind, shape, threshold);
  });
}

double computeSeverity(const JointShape& shape, double threshold) {
  if (shape.broken) return std::numeric_limits<double>::infinity();
  return computeSeverity(worstKind(shape, threshold), shape, threshold);
}

} // namespace sinew
