// How one spline deforms one vertex: the CPU reference of shaders/common/spline.glsl.
#pragma once

#include "skinning/exact_normals.h"
#include "skinning/spline.h"

namespace sinew {

// A vertex in the coordinates of one spline.
struct SplineVertex {
  float x = 0.0f;     // on the curve
  vec3 offset{0.0f};  // what is left along the curve, and two coordinates across, B and N
  vec3 normal{0.0f};  // in the same frame
  float twist = 0.0f; // about the curve, beside the spline's own: of twist ranges
};

struct DeformedVertex {
  vec3 position;
  vec3 normal;
};

// rows: the spline's, as named in spline_palette.h. stretched: Palette::nonUniformScale. Of the
// variant only whether splines are free counts.
DeformedVertex deformByCurve(const Curve& curve, const vec4* rows, const Variant& variant,
                             bool stretched, const SplineVertex& vertex);

// The same of a tangent, unit or zero: `tangent` is in the frame of the bind spline, or with exact
// normals in bind space. w: -1 where the stretch mirrors.
vec4 tangentByCurve(const Curve& curve, const vec4* rows, const Variant& variant, bool stretched,
                    const SplineVertex& vertex, const vec3& tangent);

// The same for exact normals, of a vertex with tangents in bind space.
AttachmentMotion motionByCurve(const Curve& curve, const vec4* rows, const Variant& variant,
                               bool stretched, const SplineVertex& vertex,
                               const SurfaceTangents& tangents);

} // namespace sinew
