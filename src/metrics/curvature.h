// How sharply a mesh is bent at its edges (Kavan and Zara 2003, section 4): the curvature of a
// triangle is the largest angle between its normal and those of the triangles over its edges; that
// of a mesh relative to a joint is the largest over the triangles connected to the joint (figure 9;
// see rig/subdivide's trianglesOfJoint). Radians, 0 to pi; towards 0 as the mesh grows smooth.
#pragma once

#include "rig/places.h"

#include <span>
#include <vector>

namespace sinew {

// Pairs of triangles that share an edge by place, each pair once. Found in the bind pose and used
// in every pose: what happens to touch in a pose is no neighbour. Three triangles at an edge are
// three pairs.
std::vector<std::pair<std::uint32_t, std::uint32_t>>
neighbourTriangles(std::span<const Triangle> triangles, std::span<const std::uint32_t> places);

// The angle of every pair listed; 0 where one of the two has no area.
std::vector<float>
neighbourAngles(std::span<const vec3> positions, std::span<const Triangle> triangles,
                std::span<const std::pair<std::uint32_t, std::uint32_t>> neighbours);

// One per triangle. A triangle without area has no normal: it counts for no one and gets 0.
std::vector<float>
triangleCurvatures(std::span<const vec3> positions, std::span<const Triangle> triangles,
                   std::span<const std::pair<std::uint32_t, std::uint32_t>> neighbours);

// The largest of those listed; 0 where none is listed.
float largestOf(std::span<const float> values, std::span<const std::uint32_t> listed);

} // namespace sinew
