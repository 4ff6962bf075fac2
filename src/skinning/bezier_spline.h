// Quadratic Bezier splines over the same control points as arc-splines, for comparison (Forstmann
// and Ohya 2006, section 2): f(x) = p1 (1-x)^2 + 2 p2 x (1-x) + p3 x^2, x from 0 to 1.
#pragma once

#include "skinning/method.h"
#include "skinning/spline.h"

namespace sinew {

const Curve& bezierCurve();

Method bezierSplineMethod();

} // namespace sinew
