// Morph targets on splines: a vertex keeps its x and takes the offset in the frame that its spline
// has there in the bind pose (docs/methods.md, "Morph targets").
#pragma once

#include "skinning/spline.h"

namespace sinew {

// A direction across a unit normal by its angle from the one that the shader counts from
// (common/spline_tangent.glsl).
vec3 directionAt(const vec3& normal, float angle);

// Where the rig has tangents and the binding normals of splines, attribute splineTangent: the
// angles of the tangent about those.
void appendAnglesOfTangents(const Curve& curve, const Rig& rig, Binding& binding);

// As Method::morph. With storage=transform the binding holds nothing of the vertices: the shader
// finds their coordinates, x too, from the moved position.
void morphSplines(const Curve& curve, const Rig& rig, const Binding& bound,
                  const MorphedVertices& morphed, Binding& out);

} // namespace sinew
