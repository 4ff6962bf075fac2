#include "skinning/arc_spline.h"

#include "skinning/spline_palette.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr float kQuarterTurn = 1.57079632679f;

CurvePoint at(float x) {
  const float s = std::sin(x);
  // Exactly zero at the end, where rounding times a long D12 would turn the tangent.
  const float c = std::sin(kQuarterTurn - x);
  return {s, 1.0f - c, c, s, -s, c, x / kQuarterTurn};
}

float fromDistance(float a, float b, float s) {
  const float sine = (s - b) / std::hypot(a, b);
  return std::clamp(std::atan2(b, a) + std::asin(std::clamp(sine, -1.0f, 1.0f)), 0.0f,
                    kQuarterTurn);
}

// The tangent has turned by b sin x / (a cos x + b sin x) of a slight bend.
float fromTurn(float a, float b, float share) {
  return std::atan2(a * share, b * (1.0f - share));
}

Binding bind(const Rig& rig, const BindOptions& options) {
  return bindSplines(arcCurve(), rig, options);
}

void skin(const Rig& rig, const Binding& binding, const Palette& palette, SkinnedMesh& out) {
  skinBySplines(arcCurve(), rig, binding, palette, out);
}

} // namespace

const Curve& arcCurve() {
  static constexpr Curve kCurve{at, 1.0f, kQuarterTurn, fromDistance, fromTurn};
  return kCurve;
}

Method arcSplineMethod() {
  return {.name = "arc-spline",
          .title = "Arc-spline",
          .paper = "Fast skeletal animation by skinned arc-spline based deformation (Forstmann and "
                   "Ohya 2006)",
          .summary = "Every joint is a spline that bends in an arc: round elbows and even twists; "
                     "a joint folded right back pinches.",
          .parameters = kSplineParameters,
          .bind = bind,
          .pack = packSplines,
          .skin = skin};
}

} // namespace sinew
