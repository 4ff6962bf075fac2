#include "skinning/spline.h"
#include "skinning/spline_bind.h"
#include "skinning/spline_skin.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr float kHalfPi = 1.57079632679f;

CurvePoint atArc(float x) {
  const float s = std::sin(x);
  // Exactly zero at the end, where rounding times a long D12 would rotate the tangent.
  const float c = std::sin(kHalfPi - x);
  return {s, 1.0f - c, c, s, -s, c, x / kHalfPi};
}

float arcFromDistance(float a, float b, float s) {
  const float sine = (s - b) / std::hypot(a, b);
  return std::clamp(std::atan2(b, a) + std::asin(std::clamp(sine, -1.0f, 1.0f)), 0.0f, kHalfPi);
}

// The tangent has rotated by b sin x / (a cos x + b sin x) of a slight bend.
float arcFromRotation(float a, float b, float fraction) {
  return std::atan2(a * fraction, b * (1.0f - fraction));
}

CurvePoint atBezier(float x) {
  return {x * (2.0f - x), x * x, 1.0f - x, x, -1.0f, 1.0f, x};
}

// (b - a) x^2 + 2 a x = s, in the form that does not cancel where a = b.
float bezierFromDistance(float a, float b, float s) {
  return std::clamp(s / (a + std::sqrt(std::max(a * a + (b - a) * s, 0.0f))), 0.0f, 1.0f);
}

// The tangent has rotated by b x / (a (1 - x) + b x) of a slight bend.
float bezierFromRotation(float a, float b, float fraction) {
  return a * fraction / (a * fraction + b * (1.0f - fraction));
}

constexpr Curve kArc{atArc, 1.0f, kHalfPi, arcFromDistance, arcFromRotation};
constexpr Curve kBezier{atBezier, 2.0f, 1.0f, bezierFromDistance, bezierFromRotation};
constexpr auto kArcShaders = splineShaders("skinning/arc_spline.glsl");
constexpr auto kBezierShaders = splineShaders("skinning/bezier_spline.glsl");

// What tells the two methods apart, beside their curve.
struct SplineMethod {
  std::string_view name, title, shortTitle, paper, summary, formula, symbols;
  std::span<const std::string_view> shaders;
  SkinKernel kernel;
};

template <const Curve& curve>
Method makeMethod(const SplineMethod& own) {
  return {.name = own.name,
          .title = own.title,
          .shortTitle = own.shortTitle,
          .paper = own.paper,
          .summary = own.summary,
          .formula = own.formula,
          .symbols = own.symbols,
          .parameters = kSplineParameters,
          .shaders = own.shaders,
          .usesZones = true,
          .usesFreeSplines = true,
          .bind = [](const Rig& rig,
                     const BindOptions& options) { return bindSplines(curve, rig, options); },
          .pack = packSplines,
          .skin = [](const BindVertices& vertices, const Binding& binding, const Palette& palette,
                     SkinnedMesh& out) { skinBySplines(curve, vertices, binding, palette, out); },
          .kernel = own.kernel,
          .tangentShaders = kSplineTangentShaders,
          .skinTangents =
              [](const BindVertices& vertices, const Binding& binding, const Palette& palette) {
                return skinTangentsBySplines(curve, vertices, binding, palette);
              },
          .addRotations = addSplineRotations,
          .unstableNormals =
              [](const BindVertices& vertices, const Binding& binding, const Palette& palette) {
                return foldedVertices(curve, vertices, binding, palette);
              },
          .morph = [](const Rig& rig, const Binding& bound, const MorphedVertices& morphed,
                      Binding& out) { morphSplines(curve, rig, bound, morphed, out); },
          .surface =
              [](const BindVertices& vertices, const Binding& binding, const Palette& palette,
                 std::span<const float> shares) {
                return surfaceBySplines(curve, vertices, binding, palette, shares);
              }};
}

} // namespace

const Curve& arcCurve() {
  return kArc;
}

const Curve& bezierCurve() {
  return kBezier;
}

Method arcSplineMethod() {
  return makeMethod<kArc>(
      {.name = "arc-spline",
       .title = "Arc-spline",
       .shortTitle = "Arc",
       .paper = "Fast skeletal animation by skinned arc-spline based deformation (Forstmann and "
                "Ohya 2006)",
       .summary = "Every joint is a spline that bends in an arc: round elbows and even twists; "
                  "a joint folded right back pinches.",
       .formula = "v' = f(x) + l T(x) + y' B(x) + z' N\n"
                  "f(x) = p1 + D12 sin x + D23 (1 - cos x)",
       .symbols = "f: the joint's spline, an arc through its zone, with control points "
                  "p1, p1 + D12 and p1 + D12 + D23. T, B, N: its frame. x, l, y, z: the "
                  "vertex in this frame, found once; a twist rotates y and z.",
       .shaders = kArcShaders,
       .kernel = SkinKernel::arcs});
}

Method bezierSplineMethod() {
  return makeMethod<kBezier>(
      {.name = "bezier-spline",
       .title = "Bezier spline",
       .shortTitle = "Bezier",
       .paper = "Forstmann and Ohya 2006, section 2",
       .summary = "The arc-spline with a quadratic Bezier curve instead of the arc: its bends "
                  "are tightest in the middle.",
       .formula = "v' = f(x) + l T(x) + y' B(x) + z' N\n"
                  "f(x) = p1 + D12 x (2 - x) + D23 x^2",
       .symbols = "As the arc-spline, with a quadratic Bezier curve for f.",
       .shaders = kBezierShaders,
       .kernel = SkinKernel::beziers});
}

} // namespace sinew
