// Self-intersections: triangles of a posed mesh that pass through one another.
#pragma once

#include "rig/welded_vertices.h"

#include <span>
#include <utility>
#include <vector>

namespace sinew {

// Pairs (lower index first, ascending) of triangles that intersect, at least one of them listed.
// Two triangles intersect if an edge of one has its ends strictly on either side of the other's
// plane and meets the triangle. Triangles that share a vertex, are coplanar, only touch at a corner
// or have a non-finite coordinate do not count. Computed in double precision from the float
// positions.
//
// A uniform grid finds the candidates (Ericson: Real-Time Collision Detection, 2005, section 7.1).
std::vector<std::pair<std::uint32_t, std::uint32_t>>
selfIntersections(std::span<const vec3> positions, std::span<const Triangle> triangles,
                  std::span<const std::uint32_t> listed, std::span<const std::uint32_t> welded);

bool trianglesCross(const std::array<glm::dvec3, 3>& a, const std::array<glm::dvec3, 3>& b);

} // namespace sinew
