#include "rig/blend_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

using glm::vec2;

// One stretch of the monotone cubic of Fritsch and Carlson (1980): between two points, with the
// derivatives there.
struct CurveStretch {
  vec2 from{0.0f, 0.0f}, to{1.0f, 1.0f};
  float slopeFrom = 1.0f, slopeTo = 1.0f;
};

float secant(const vec2& a, const vec2& b) {
  return (b.y - a.y) / (b.x - a.x);
}

// Harmonic mean weighted by the lengths of both stretches: no more than three times the lesser of
// the two, so that nothing overshoots (Fritsch and Butland 1984).
float slopeBetween(const vec2& before, const vec2& at, const vec2& after) {
  const float one = secant(before, at);
  const float other = secant(at, after);
  if (one <= 0.0f || other <= 0.0f) return 0.0f;
  const float left = at.x - before.x;
  const float right = after.x - at.x;
  const float a = 2.0f * right + left;
  const float b = right + 2.0f * left;
  return (a + b) / (a / one + b / other);
}

// The points with both ends.
struct CurvePoints {
  std::span<const vec2> inner;

  std::size_t count() const { return inner.size() + 2; }
  vec2 operator[](std::size_t i) const {
    if (i == 0) return {0.0f, 0.0f};
    return i <= inner.size() ? inner[i - 1] : vec2(1.0f, 1.0f);
  }
  float slope(std::size_t i) const {
    if (i == 0) return secant((*this)[0], (*this)[1]);
    if (i + 1 == count()) return secant((*this)[i - 1], (*this)[i]);
    return slopeBetween((*this)[i - 1], (*this)[i], (*this)[i + 1]);
  }
};

CurveStretch stretchAt(const BlendCurve& curve, float fraction) {
  const CurvePoints points{curve.points};
  std::size_t i = 0;
  while (i + 2 < points.count() && points[i + 1].x <= fraction)
    ++i;
  return {points[i], points[i + 1], points.slope(i), points.slope(i + 1)};
}

} // namespace

float blendAt(const BlendCurve& curve, float fraction) {
  const float t = std::clamp(fraction, 0.0f, 1.0f);
  if (curve.kind == BlendCurve::Kind::linear) return t;
  if (curve.kind == BlendCurve::Kind::smooth) return t * t * (3.0f - 2.0f * t);
  const CurveStretch on = stretchAt(curve, t);
  const float length = on.to.x - on.from.x;
  const float u = (t - on.from.x) / length;
  const float v = 1.0f - u;
  const float value = v * v * (1.0f + 2.0f * u) * on.from.y + u * u * (3.0f - 2.0f * u) * on.to.y +
                      length * u * v * (v * on.slopeFrom - u * on.slopeTo);
  return std::clamp(value, 0.0f, 1.0f); // rounding
}

float blendSlope(const BlendCurve& curve, float fraction) {
  const float t = std::clamp(fraction, 0.0f, 1.0f);
  if (curve.kind == BlendCurve::Kind::linear) return 1.0f;
  if (curve.kind == BlendCurve::Kind::smooth) return 6.0f * t * (1.0f - t);
  const CurveStretch on = stretchAt(curve, t);
  const float u = (t - on.from.x) / (on.to.x - on.from.x);
  return 6.0f * u * (1.0f - u) * secant(on.from, on.to) +
         (1.0f - u) * (1.0f - 3.0f * u) * on.slopeFrom + u * (3.0f * u - 2.0f) * on.slopeTo;
}

std::string findProblem(std::span<const vec2> points) {
  vec2 before(0.0f);
  for (const vec2& point : points) {
    if (!(point.x > before.x && point.x < 1.0f))
      return fmt::format("fraction {:g} is not between {:g} and 1", point.x, before.x);
    if (!(point.y >= before.y && point.y <= 1.0f))
      return fmt::format("factor {:g} at {:g} is not between {:g} and 1", point.y, point.x,
                         before.y);
    before = point;
  }
  return {};
}

} // namespace sinew
