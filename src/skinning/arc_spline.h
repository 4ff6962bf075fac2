// Arc-splines (Forstmann and Ohya 2006): f(x) = p1 + D12 sin x + D23 (1 - cos x), x from 0 to half
// pi. A right-angled spline with equal arms is a quarter of a circle.
#pragma once

#include "skinning/method.h"
#include "skinning/spline.h"

namespace sinew {

const Curve& arcCurve();

Method arcSplineMethod();

} // namespace sinew
