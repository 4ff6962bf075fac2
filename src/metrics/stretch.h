// The stretch of a mesh in a pose: the lengths of its edges over those in the bind pose.
#pragma once

#include "rig/welded_vertices.h"

#include <span>
#include <vector>

namespace sinew {

// Edges of the listed triangles, between welded vertices, without duplicates.
std::vector<WeldedEdge> listEdges(std::span<const Triangle> triangles,
                                  std::span<const std::uint32_t> listed,
                                  std::span<const std::uint32_t> welded);

struct Stretch {
  float largest = 1.0f;
  float mean = 1.0f; // every edge counts the same
};

// Edges without length in `rest` are ignored; 1 and 1 if no edge remains.
Stretch measureStretch(std::span<const WeldedEdge> edges, std::span<const vec3> rest,
                       std::span<const vec3> posed);

} // namespace sinew
