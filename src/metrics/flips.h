// Triangles flipped in a pose relative to the same pose by another method, such as linear blending:
// the dot product of their normals is negative.
#pragma once

#include "model/mesh.h"

#include <span>

namespace sinew {

// Of the listed triangles. One without area in either mesh is not flipped.
std::size_t countFlips(std::span<const Triangle> triangles, std::span<const std::uint32_t> listed,
                       std::span<const vec3> reference, std::span<const vec3> posed);

// As a fraction of the listed triangles, 0 to 1; 0 if none is listed.
float flippedFraction(std::span<const Triangle> triangles, std::span<const std::uint32_t> listed,
                      std::span<const vec3> reference, std::span<const vec3> posed);

} // namespace sinew
