#include "skinning/bezier_spline.h"

#include "skinning/spline_morph.h"
#include "skinning/spline_skin.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

CurvePoint at(float x) {
  return {x * (2.0f - x), x * x, 1.0f - x, x, -1.0f, 1.0f, x};
}

// (b - a) x^2 + 2 a x = s, in the form that does not cancel where a = b.
float fromDistance(float a, float b, float s) {
  return std::clamp(s / (a + std::sqrt(std::max(a * a + (b - a) * s, 0.0f))), 0.0f, 1.0f);
}

// The tangent has rotated by b x / (a (1 - x) + b x) of a slight bend.
float fromRotation(float a, float b, float fraction) {
  return a * fraction / (a * fraction + b * (1.0f - fraction));
}

constexpr auto kShaders = splineShaders("skinning/bezier_spline.glsl");

Binding bind(const Rig& rig, const BindOptions& options) {
  return bindSplines(bezierCurve(), rig, options);
}

void skin(const BindVertices& vertices, const Binding& binding, const Palette& palette,
          SkinnedMesh& out) {
  skinBySplines(bezierCurve(), vertices, binding, palette, out);
}

std::vector<vec4> skinTangents(const BindVertices& vertices, const Binding& binding,
                               const Palette& palette) {
  return skinTangentsBySplines(bezierCurve(), vertices, binding, palette);
}

std::vector<bool> unstableNormals(const BindVertices& vertices, const Binding& binding,
                                  const Palette& palette) {
  return foldedVertices(bezierCurve(), vertices, binding, palette);
}

std::vector<SurfaceMotion> surface(const BindVertices& vertices, const Binding& binding,
                                   const Palette& palette, std::span<const float> shares) {
  return surfaceBySplines(bezierCurve(), vertices, binding, palette, shares);
}

void morph(const Rig& rig, const Binding& bound, const MorphedVertices& morphed, Binding& out) {
  morphSplines(bezierCurve(), rig, bound, morphed, out);
}

} // namespace

const Curve& bezierCurve() {
  static constexpr Curve kCurve{at, 2.0f, 1.0f, fromDistance, fromRotation};
  return kCurve;
}

Method bezierSplineMethod() {
  return {.name = "bezier-spline",
          .title = "Bezier spline",
          .shortTitle = "Bezier",
          .paper = "Forstmann and Ohya 2006, section 2",
          .summary = "The arc-spline with a quadratic Bezier curve instead of the arc: its bends "
                     "are tightest in the middle.",
          .formula = "v' = f(x) + l T(x) + y' B(x) + z' N\n"
                     "f(x) = p1 + D12 x (2 - x) + D23 x^2",
          .symbols = "As the arc-spline, with a quadratic Bezier curve for f.",
          .parameters = kSplineParameters,
          .shaders = kShaders,
          .usesZones = true,
          .bind = bind,
          .pack = packSplines,
          .skin = skin,
          .kernel = SkinKernel::beziers,
          .tangentShaders = kSplineTangentShaders,
          .skinTangents = skinTangents,
          .addRotations = addSplineRotations,
          .unstableNormals = unstableNormals,
          .morph = morph,
          .surface = surface};
}

} // namespace sinew
