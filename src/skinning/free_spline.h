// Free splines (methods section 4; Forstmann and Ohya 2006, sections 4 and 5): the model's own,
// three control points each, carried by scene nodes. They may be curved in the bind pose.
//
// A posed control point is M(node) p. The frame of the bind pose is carried to the start by the
// first node's rotation (the spline's roll) and to the end by the third's; what the end's is turned
// by against the start's, carried along the spline without spinning, is the twist. Where a node is
// turned by itself its frame follows the curve by the least rotation. Nodes may also stretch: the
// start's cross-section takes the first node's stretch, the end's the third's.
#pragma once

#include "skinning/spline.h"

namespace sinew {

// A spline in the bind pose. Directions are unit and defined also where control points coincide.
struct FreeShape {
  glm::dvec3 p1, d12, d23;
  glm::dvec3 start, end; // tangents at p1 and p3
  glm::dvec3 normal;     // of the curve's plane; any perpendicular where the curve is straight
};
FreeShape shapeOf(const std::array<vec3, 3>& points);
bool isStraight(const FreeShape& shape);

// Place on a curved spline by recursive halving (the paper's figure 4): space is split by the plane
// through f(x) at right angles to T(x), first in the middle of the curve, then in the middle of the
// half that the position is in. Before p1 and after p3 x is that of the end.
//
// What is found is a place where the distance to the curve is smallest, seen from near by. A
// position on the inner side of the bend, beyond its centre of curvature, has more than one such
// place; halving takes the one that the planes lead to, which need not be the nearest.
float halveSpace(const Curve& curve, const FreeShape& shape, const vec3& position);

// Throws usageError where storage=transform is asked for and a spline is curved in the bind pose.
Binding bindFreeSplines(const Curve& curve, const Rig& rig, const BindOptions& options);

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
