// How one spline deforms one vertex: the CPU reference of shaders/common/spline.glsl.
#pragma once

#include "skinning/spline.h"

namespace sinew {

// A vertex in the coordinates of one spline.
struct SplineVertex {
  float x = 0.0f;    // on the curve
  vec3 offset{0.0f}; // what is left along the curve, and two coordinates across, B and N
  vec3 normal{0.0f}; // in the same frame
};

struct DeformedVertex {
  vec3 position;
  vec3 normal;
};

// rows: the spline's, as named in spline_palette.h. stretched: Palette::nonUniformScale.
DeformedVertex deformByCurve(const Curve& curve, const vec4* rows, const Variant& variant,
                             bool stretched, const SplineVertex& vertex);

} // namespace sinew
