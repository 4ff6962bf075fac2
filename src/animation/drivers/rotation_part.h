// A rotation, or one of its two parts about an axis: rotation = swing * twist, where the twist is
// about the axis and the swing about an axis perpendicular to it.
#pragma once

#include "core/transform.h"

namespace sinew {

enum class RotationPart { whole, swing, twist };

// Of a unit quaternion; axis: unit, unused for the whole. A swing by 180 degrees leaves the twist
// open: then the twist is none.
quat extractPart(const quat& rotation, RotationPart part, const vec3& axis);

// In [0, pi], radians.
float angleBetween(const quat& a, const quat& b);

// Axis times angle in [0, pi], and back from a vector of any length.
vec3 rotationVector(const quat& rotation);
quat fromRotationVector(const vec3& vector);

} // namespace sinew
