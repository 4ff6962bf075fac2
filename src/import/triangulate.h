// Polygons as triangles.
#pragma once

#include "model/mesh.h"

#include <span>

namespace sinew {

// Beyond this a polygon is cut as a fan, whatever its shape.
inline constexpr std::size_t kMaxEarCorners = 2000;

// Triangles between the corners of a polygon (indices into it), wound as it is: a convex one as a
// fan about its first corner, others by cutting off ears, seen along the polygon's normal (Newell).
// Fewer than three corners give none.
std::vector<Triangle> triangulatePolygon(std::span<const glm::dvec3> corners);

} // namespace sinew
