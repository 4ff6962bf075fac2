// 1:4 subdivision with the fault that the bones-blending paper warns about (section 3): the
// neighbours of the divided triangles stay whole, which leaves T-vertices on their edges. For
// demonstration; rig/subdivide.h does it correctly.
#pragma once

#include "model/mesh.h"

#include <span>
#include <vector>

namespace sinew {

// A vertex `middle` on the edge of a triangle that does not have it as a corner.
struct TVertex {
  std::uint32_t a = 0, b = 0, middle = 0;
};

struct SplitAlone {
  Mesh mesh;
  std::vector<TVertex> tVertices;
};

// The mesh must be welded: neighbours share vertices.
SplitAlone splitAlone(const Mesh& mesh, std::span<const std::uint32_t> triangles);

// The largest distance of a middle from its edge after the vertices have moved.
float widestCrack(std::span<const TVertex> tVertices, std::span<const vec3> posed);

// Circumscribed over inscribed radius of a triangle: 2 if it is equilateral, infinite without area.
double slenderness(const vec3& a, const vec3& b, const vec3& c);

} // namespace sinew
