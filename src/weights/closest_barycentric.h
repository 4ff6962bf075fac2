// The point of a triangle closest to a point (Ericson, Real-Time Collision Detection, 2005, section
// 5.1.5).
#pragma once

#include "core/transform.h"

namespace sinew {

// Its barycentric coordinates in the triangle a, b, c.
vec3 closestBarycentric(const vec3& p, const vec3& a, const vec3& b, const vec3& c);

} // namespace sinew
