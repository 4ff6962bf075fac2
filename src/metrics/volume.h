// Volume of a mesh or of a part of it, as a share of what it was in the bind pose: skinning that
// collapses a joint loses volume, and one that bulges gains it.
//
// The volume of a part that is not closed, such as the tube of skin around a joint, is defined by
// closing it: each connected piece of its rim gets a fan from the mean of its vertices. So the
// boundary is closed whatever the rim looks like, and the sum of signed tetrahedra over it does not
// depend on their common corner. Parts are found in the bind pose, by place; the vertices of a
// place are taken to move together.
#pragma once

#include "rig/places.h"

#include <span>
#include <vector>

namespace sinew {

// An open edge, against the winding of its triangle: what closes it has to run this way.
using RimEdge = std::array<std::uint32_t, 2>;

struct Region {
  std::vector<Triangle> triangles; // corners are places
  std::vector<std::vector<RimEdge>> rims;

  bool closed() const { return rims.empty(); }
};

// Of the triangles listed (indices).
Region regionOf(std::span<const Triangle> triangles, std::span<const std::uint32_t> listed,
                std::span<const std::uint32_t> places);

// The connected parts of a mesh, by their lowest triangle.
std::vector<Region> connectedParts(std::span<const Triangle> triangles,
                                   std::span<const std::uint32_t> places);

// Positive where the triangles face outward; in the positions' unit cubed.
double volumeOf(const Region& region, std::span<const vec3> positions);

} // namespace sinew
