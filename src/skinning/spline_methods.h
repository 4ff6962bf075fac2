// The two methods of skinning by splines. They differ in their curve alone.
#pragma once

#include "skinning/method.h"
#include "skinning/spline.h"

namespace sinew {

// Arc-splines (Forstmann and Ohya 2006): f(x) = p1 + D12 sin x + D23 (1 - cos x), x from 0 to half
// pi. A right-angled spline with equal arms is a quarter of a circle.
const Curve& arcCurve();
Method arcSplineMethod();

// Quadratic Bezier splines over the same control points, for comparison (section 2 of the paper):
// f(x) = p1 (1-x)^2 + 2 p2 x (1-x) + p3 x^2, x from 0 to 1.
const Curve& bezierCurve();
Method bezierSplineMethod();

} // namespace sinew
