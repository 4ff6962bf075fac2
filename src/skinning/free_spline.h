// Free splines (docs/methods.md, section 6; Forstmann and Ohya 2006, sections 4 and 5): the model's
// own, three control points each, carried by scene nodes. They may be curved in the bind pose.
#pragma once

#include "skinning/spline.h"

namespace sinew {

// A spline in the bind pose. Directions are unit and defined also where control points coincide.
struct FreeShape {
  glm::dvec3 p1, d12, d23;
  glm::dvec3 start, end; // tangents at p1 and p3
  glm::dvec3 normal;     // the curve's plane has it; any perpendicular where the curve is straight
};
FreeShape makeFreeShape(const std::array<vec3, 3>& points);
bool isStraight(const FreeShape& shape);

// Its frame (T, B, N) at x.
glm::dmat3 frameAt(const Curve& curve, const FreeShape& shape, float x);

// x on a curved spline by recursive halving (the paper's figure 4): space is split by the plane
// through f(x) normal to T(x), first in the middle of the curve, then in the middle of the half
// that the position is in. Before p1 and after p3 x is that of the end.
//
// The result is a local minimum of the distance to the curve. A position on the inner side of the
// bend, beyond its centre of curvature, has more than one; halving takes the one that the planes
// lead to, which need not be the nearest.
float projectToCurve(const Curve& curve, const FreeShape& shape, const vec3& position);

// Throws usageError where storage=transform is asked for and a spline is curved in the bind pose.
Binding bindFreeSplines(const Curve& curve, const Rig& rig, const BindOptions& options);

} // namespace sinew
