// What binding to the splines of joints and to free ones has in common.
#pragma once

#include "skinning/spline_place.h"

#include <functional>

namespace sinew {

// The parameters that both understand.
struct SplineChoices {
  bool together = false;
  float normals = 0.0f; // index of kNormals
  bool plainMixing = false;
  bool transform = false; // storage
};
SplineChoices splineChoices(const BindOptions& options);

// A binding with counts, attachments and defines, and no coordinates yet.
Binding startSplines(const Rig& rig, const JointBinding& joints, const SplineChoices& choices,
                     std::uint32_t splines, bool exactIsCheap);

// Attributes spline0.. and splineNormal0..: every vertex on each of its splines.
void appendCoordinates(
    const JointBinding& joints, Binding& binding,
    const std::function<SplineVertex(std::size_t, const JointAttachment&)>& vertexOn);

// Of a straight spline in bind space: along the unit direction, and two directions across.
mat3 frameAlong(const vec3& direction);

} // namespace sinew
