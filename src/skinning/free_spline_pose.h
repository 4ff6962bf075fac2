// Free splines in a pose.
//
// A posed control point is M(node) p. The frame of the bind pose is carried to the start by the
// first node's rotation (the spline's roll) and to the end by the third's. The twist is the
// rotation of the end's frame relative to the start's frame after parallel transport along the
// spline. If only one node is rotated, its frame follows the curve by the minimal rotation. Nodes
// may also stretch: the cross-section at the start takes the first node's stretch, that at the end
// the third's.
#pragma once

#include "skinning/free_spline.h"

#include <array>

namespace sinew {

// As Method::pack.
bool packFreeSplines(const Rig& rig, const Binding& binding, std::span<const mat4> modelFromNode,
                     std::span<vec4> rows);

// One spline in a pose, before it is written to the palette.
struct PosedSpline {
  glm::dvec3 p1, d12, d23;
  glm::dvec3 normal;
  double roll = 0.0;                             // from the bind frame into (B, N) at the start
  double twist = 0.0;                            // (-pi, pi]
  glm::dmat3 startStretch{1.0}, endStretch{1.0}; // upper triangular, in the spline's frame
};
// modelFromBind: M of the three nodes.
PosedSpline poseSpline(const FreeShape& shape, const std::array<vec3, 3>& points,
                       const std::array<mat4, 3>& modelFromBind);

} // namespace sinew
