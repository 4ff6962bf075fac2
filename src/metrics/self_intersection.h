// Triangles of a posed mesh that pass through one another.
#pragma once

#include "rig/places.h"

#include <span>
#include <utility>
#include <vector>

namespace sinew {

// Pairs (lower index first, ascending) of triangles that intersect, at least one of them listed.
// They do where an edge of one has its ends strictly on either side of the other's plane and meets
// the triangle. Triangles that share a place, lie in one plane, merely touch with a corner or have
// a coordinate that is not finite do not count. Decided in double precision on the float positions.
//
// A uniform grid finds the candidates (Ericson: Real-Time Collision Detection, 2005, section 7.1).
std::vector<std::pair<std::uint32_t, std::uint32_t>>
selfIntersections(std::span<const vec3> positions, std::span<const Triangle> triangles,
                  std::span<const std::uint32_t> listed, std::span<const std::uint32_t> places);

bool trianglesCross(const std::array<glm::dvec3, 3>& a, const std::array<glm::dvec3, 3>& b);

} // namespace sinew
