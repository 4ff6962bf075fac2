// What binding to the splines of joints and to free ones has in common.
#pragma once

#include "skinning/spline_deform.h"

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

} // namespace sinew
