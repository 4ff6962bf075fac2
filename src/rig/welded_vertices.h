// Welding: vertices at one position. A mesh repeats a vertex at seams of its texture coordinates or
// normals; the surface has no such seam, so neighbours are found by welded vertices.
#pragma once

#include "rig/rig.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sinew {

// Per vertex the first vertex with exactly the same position.
std::vector<std::uint32_t> weldVertices(std::span<const vec3> positions);

// The same for a whole rig. Only vertices with the same lowest joint and nearly the same weights
// are welded: closed lips are two surfaces, and rigid meshes are in spaces of their own and may
// repeat positions by chance.
std::vector<std::uint32_t> weldVertices(const Rig& rig);

// One vertex of each welded position, ascending, without those that subdivision has put on the
// surface. What counts them finds the same however a file splits its vertices at seams.
std::vector<std::uint32_t> surfaceVertices(const Rig& rig);

// An edge by its welded vertices, the lower index first.
using WeldedEdge = std::pair<std::uint32_t, std::uint32_t>;

inline WeldedEdge weldedEdge(std::span<const std::uint32_t> welded, std::uint32_t a,
                             std::uint32_t b) {
  return std::minmax(std::uint32_t{welded[a]}, std::uint32_t{welded[b]});
}

} // namespace sinew
