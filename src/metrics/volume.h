// The volume of a mesh or of a part of it: skinning that collapses a joint loses volume, skinning
// that bulges gains it.
//
// The volume of an open part, such as the tube of skin around a joint, is defined by closing it:
// each connected piece of its rim gets a fan from the mean of its vertices. So the boundary is
// closed for any rim, and the sum of signed tetrahedra over it does not depend on their common
// corner. Parts are found in the bind pose, with welded vertices, which are assumed to move
// together.
#pragma once

#include "rig/welded_vertices.h"

#include <span>
#include <vector>

namespace sinew {

// An open edge, against the winding of its triangle: the direction of the closing triangle.
using RimEdge = std::array<std::uint32_t, 2>;

struct Region {
  std::vector<Triangle> triangles; // corners are welded vertices
  std::vector<std::vector<RimEdge>> rims;

  bool closed() const { return rims.empty(); }
};

// The region of the listed triangles (indices).
Region makeRegion(std::span<const Triangle> triangles, std::span<const std::uint32_t> listed,
                  std::span<const std::uint32_t> welded);

// The connected components of a mesh, by their lowest triangle.
std::vector<Region> connectedParts(std::span<const Triangle> triangles,
                                   std::span<const std::uint32_t> welded);

// Positive where the triangles face outward; in the positions' unit cubed.
double computeVolume(const Region& region, std::span<const vec3> positions);

} // namespace sinew
