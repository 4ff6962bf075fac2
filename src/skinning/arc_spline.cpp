#include "skinning/arc_spline.h"

#include "skinning/spline_morph.h"
#include "skinning/spline_skin.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr float kHalfPi = 1.57079632679f;

CurvePoint at(float x) {
  const float s = std::sin(x);
  // Exactly zero at the end, where rounding times a long D12 would rotate the tangent.
  const float c = std::sin(kHalfPi - x);
  return {s, 1.0f - c, c, s, -s, c, x / kHalfPi};
}

float fromDistance(float a, float b, float s) {
  const float sine = (s - b) / std::hypot(a, b);
  return std::clamp(std::atan2(b, a) + std::asin(std::clamp(sine, -1.0f, 1.0f)), 0.0f, kHalfPi);
}

// The tangent has rotated by b sin x / (a cos x + b sin x) of a slight bend.
float fromRotation(float a, float b, float fraction) {
  return std::atan2(a * fraction, b * (1.0f - fraction));
}

constexpr auto kShaders = splineShaders("skinning/arc_spline.glsl");

Binding bind(const Rig& rig, const BindOptions& options) {
  return bindSplines(arcCurve(), rig, options);
}

void skin(const BindVertices& vertices, const Binding& binding, const Palette& palette,
          SkinnedMesh& out) {
  skinBySplines(arcCurve(), vertices, binding, palette, out);
}

std::vector<vec4> skinTangents(const BindVertices& vertices, const Binding& binding,
                               const Palette& palette) {
  return skinTangentsBySplines(arcCurve(), vertices, binding, palette);
}

std::vector<bool> unstableNormals(const BindVertices& vertices, const Binding& binding,
                                  const Palette& palette) {
  return foldedVertices(arcCurve(), vertices, binding, palette);
}

std::vector<SurfaceMotion> surface(const BindVertices& vertices, const Binding& binding,
                                   const Palette& palette, std::span<const float> shares) {
  return surfaceBySplines(arcCurve(), vertices, binding, palette, shares);
}

void morph(const Rig& rig, const Binding& bound, const MorphedVertices& morphed, Binding& out) {
  morphSplines(arcCurve(), rig, bound, morphed, out);
}

} // namespace

const Curve& arcCurve() {
  static constexpr Curve kCurve{at, 1.0f, kHalfPi, fromDistance, fromRotation};
  return kCurve;
}

Method arcSplineMethod() {
  return {.name = "arc-spline",
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
          .parameters = kSplineParameters,
          .shaders = kShaders,
          .usesZones = true,
          .bind = bind,
          .pack = packSplines,
          .skin = skin,
          .kernel = SkinKernel::arcs,
          .tangentShaders = kSplineTangentShaders,
          .skinTangents = skinTangents,
          .addRotations = addSplineRotations,
          .unstableNormals = unstableNormals,
          .morph = morph,
          .surface = surface};
}

} // namespace sinew
