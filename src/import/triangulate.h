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

// One ring around a polygon and its holes, as indices into `corners`: each hole is joined to what
// is around it by an edge that the ring follows both ways. Holes may be wound either way.
struct RingWithHoles {
  std::vector<std::uint32_t> corners;
  std::size_t omitted = 0; // holes that lie outside, or all of more than kMaxEarCorners
};
// ends: where the polygon and then each hole end in `corners`.
RingWithHoles joinHoles(std::span<const glm::dvec3> corners, std::span<const std::size_t> ends);

} // namespace sinew
