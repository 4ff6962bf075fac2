// How much a pose stretches a mesh: the length of its edges over that in the bind pose.
#pragma once

#include "rig/places.h"

#include <span>
#include <vector>

namespace sinew {

// Edges of the triangles listed, by place, each once; ends are places.
std::vector<PlaceEdge> edgesOf(std::span<const Triangle> triangles,
                               std::span<const std::uint32_t> listed,
                               std::span<const std::uint32_t> places);

struct Stretch {
  float largest = 1.0f;
  float mean = 1.0f; // every edge counts the same
};

// Edges without length in `rest` count for nothing; 1 and 1 where no edge is left.
Stretch stretchOf(std::span<const PlaceEdge> edges, std::span<const vec3> rest,
                  std::span<const vec3> posed);

} // namespace sinew
