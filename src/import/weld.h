// Joins vertices that agree in everything, and drops those no triangle uses.
#pragma once

#include "model/mesh.h"

namespace sinew {

// Positions, their offsets by morph targets and influences agree exactly, normals, texture
// coordinates and colours to 1e-5. Order
// is that of first use of the position in the vertex list. Triangles keep their order and winding.
// Returns the new index of every vertex, or kDroppedVertex.
inline constexpr std::uint32_t kDroppedVertex = ~0u;
std::vector<std::uint32_t> weldVertices(Mesh& mesh);

} // namespace sinew
