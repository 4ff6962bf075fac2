// Which vertices stand at one place. A mesh repeats a vertex where its texture coordinates or
// normals have a seam; its surface knows nothing of that, so neighbours are found by place.
#pragma once

#include "rig/rig.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sinew {

// Per vertex the first vertex with exactly the same position.
std::vector<std::uint32_t> placesOf(std::span<const vec3> positions);

// Of a whole rig: only vertices that follow the same bones too (told apart by the first of their
// joints), for rigid meshes stand in spaces of their own and may repeat positions by chance.
std::vector<std::uint32_t> placesOf(const Rig& rig);

// An edge by its places, the lower first.
using PlaceEdge = std::pair<std::uint32_t, std::uint32_t>;

inline PlaceEdge placeEdge(std::span<const std::uint32_t> places, std::uint32_t a,
                           std::uint32_t b) {
  return std::minmax(std::uint32_t{places[a]}, std::uint32_t{places[b]});
}

} // namespace sinew
