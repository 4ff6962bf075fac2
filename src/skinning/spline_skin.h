// The CPU reference of skinning by splines: how one deforms one vertex, as in
// shaders/common/spline.glsl, and a whole mesh.
#pragma once

#include "skinning/exact_normals.h"
#include "skinning/spline.h"

#include <vector>

namespace sinew {

// A vertex in the coordinates of one spline.
struct SplineVertex {
  float x = 0.0f;     // on the curve
  vec3 offset{0.0f};  // what is left along the curve, and two coordinates across, B and N
  vec3 normal{0.0f};  // in the same frame
  float twist = 0.0f; // about the curve, beside the spline's own, by twist ranges
};

struct DeformedVertex {
  vec3 position;
  vec3 normal;
};

// rows: the spline's, as named in spline_palette.h. stretched: Palette::nonUniformScale. Only
// Variant::freeSplines of the variant counts.
DeformedVertex deformByCurve(const Curve& curve, const vec4* rows, const Variant& variant,
                             bool stretched, const SplineVertex& vertex);

// The same for a tangent, unit or zero: `tangent` is in the frame of the bind spline, or with exact
// normals in bind space. w: -1 where the stretch mirrors.
vec4 tangentByCurve(const Curve& curve, const vec4* rows, const Variant& variant, bool stretched,
                    const SplineVertex& vertex, const vec3& tangent);

// The same for exact normals, for a vertex with tangents in bind space.
AttachmentMotion motionByCurve(const Curve& curve, const vec4* rows, const Variant& variant,
                               bool stretched, const SplineVertex& vertex,
                               const SurfaceTangents& tangents);

// As Method::skin.
void skinBySplines(const Curve& curve, const BindVertices& bind, const Binding& binding,
                   const Palette& palette, SkinnedMesh& out);

// As Method::surface; without shares the method has all of the surface.
std::vector<SurfaceMotion> surfaceBySplines(const Curve& curve, const BindVertices& bind,
                                            const Binding& binding, const Palette& palette,
                                            std::span<const float> shares = {});

// As Method::skinTangents.
std::vector<vec4> skinTangentsBySplines(const Curve& curve, const BindVertices& bind,
                                        const Binding& binding, const Palette& palette);

// As Method::unstableNormals: the vertices of which a spline is folded back so sharply at their x
// that the tangent is mostly rounding, and, with exact normals, where the surface is folded so
// sharply that its tangents fall together.
std::vector<bool> foldedVertices(const Curve& curve, const BindVertices& bind,
                                 const Binding& binding, const Palette& palette);

} // namespace sinew
