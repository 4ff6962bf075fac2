// 1:4 subdivision as the bones-blending paper warns of it (section 3): the neighbours of the
// divided triangles are left whole, so that vertices stand in the middle of their edges. Only to be
// counted and shown; rig/subdivide does it right.
#pragma once

#include "model/mesh.h"

#include <span>
#include <vector>

namespace sinew {

// A vertex `middle` inside the edge of a triangle that does not know of it.
struct TVertex {
  std::uint32_t a = 0, b = 0, middle = 0;
};

struct SplitAlone {
  Mesh mesh;
  std::vector<TVertex> tVertices;
};

// The mesh must be welded: neighbours share vertices.
SplitAlone splitAlone(const Mesh& mesh, std::span<const std::uint32_t> triangles);

// How far the middle stands from its edge, at most, once the vertices have moved.
float widestCrack(std::span<const TVertex> tVertices, std::span<const vec3> posed);

// Circumscribed over inscribed radius of a triangle: 2 where it is equilateral. Infinite for one
// without area.
double slenderness(const vec3& a, const vec3& b, const vec3& c);

} // namespace sinew
