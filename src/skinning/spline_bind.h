// What binding to the splines of joints and to free ones has in common, and morph targets on both.
#pragma once

#include "skinning/spline.h"
#include "skinning/spline_skin.h"

#include <functional>

namespace sinew {

// The parameters that both support.
struct SplineChoices {
  std::vector<float> parameters; // all of them, as Binding::parameters
  bool vectorized = false;
  NormalMode normals = NormalMode::cheap;
  bool shared = false; // part of a mixture with exact normals
  bool plainMixing = false;
  bool transform = false; // storage
  bool texture = false;   // stored normals are bytes in a texture
};
SplineChoices splineChoices(const BindOptions& options);

// A binding with counts, attachments and variant, and no coordinates yet.
Binding startSplines(const Rig& rig, const JointBinding& joints, const SplineChoices& choices,
                     std::uint32_t splines);

// Attributes spline0.. and, with cheap normals, splineNormal0..: every vertex on each of its
// splines.
void appendCoordinates(
    const JointBinding& joints, Binding& binding,
    const std::function<SplineVertex(std::size_t, const JointAttachment&)>& vertexOn);

// A direction across a unit normal by its angle from the one that the shader counts from
// (common/spline_tangent.glsl).
vec3 directionAt(const vec3& normal, float angle);

// Where the rig has tangents and the binding normals of splines, attribute splineTangent: the
// angles of the tangent about those.
void appendAnglesOfTangents(const Curve& curve, const Rig& rig, Binding& binding);

// As Method::morph: a vertex keeps its x and takes the offset in the frame that its spline has
// there in the bind pose (docs/methods.md, "Morph targets"). With storage=transform the binding
// holds nothing of the vertices: the shader finds their coordinates, x too, from the moved
// position.
void morphSplines(const Curve& curve, const Rig& rig, const Binding& bound,
                  const MorphedVertices& morphed, Binding& out);

} // namespace sinew
