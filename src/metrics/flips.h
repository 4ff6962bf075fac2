// Triangles that a pose turns over against another posing of the same mesh, say by linear blending:
// their normals point to opposite sides (their dot product is negative).
#pragma once

#include "model/mesh.h"

#include <span>

namespace sinew {

// Of the triangles listed. One without area in either posing is not turned over.
std::size_t countFlips(std::span<const Triangle> triangles, std::span<const std::uint32_t> listed,
                       std::span<const vec3> reference, std::span<const vec3> posed);

// The same as a share of the triangles listed, 0 to 1; 0 where none is.
float flippedShare(std::span<const Triangle> triangles, std::span<const std::uint32_t> listed,
                   std::span<const vec3> reference, std::span<const vec3> posed);

} // namespace sinew
