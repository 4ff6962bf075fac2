// The discrete curvature of a mesh at its edges (Kavan and Zara 2003, section 4): the curvature of
// a triangle is the largest angle between its normal and those of its neighbours; that of a mesh
// relative to a joint is the largest over the triangles connected to the joint (figure 9; see
// trianglesOfJoint() in rig/subdivide.h). Radians, 0 to pi; tends to 0 as the mesh becomes smooth.
#pragma once

#include "rig/welded_vertices.h"

#include <span>
#include <vector>

namespace sinew {

// Pairs of triangles that share a welded edge, without duplicates. Found in the bind pose and used
// in every pose: triangles that only touch in a pose are not neighbours. Three triangles at an edge
// are three pairs.
std::vector<std::pair<std::uint32_t, std::uint32_t>>
neighbourTriangles(std::span<const Triangle> triangles, std::span<const std::uint32_t> welded);

// The angle of every listed pair; 0 if one of the two has no area.
std::vector<float>
neighbourAngles(std::span<const vec3> positions, std::span<const Triangle> triangles,
                std::span<const std::pair<std::uint32_t, std::uint32_t>> neighbours);

// One per triangle. A triangle without area has no normal: it is ignored and gets 0.
std::vector<float>
triangleCurvatures(std::span<const vec3> positions, std::span<const Triangle> triangles,
                   std::span<const std::pair<std::uint32_t, std::uint32_t>> neighbours);

// The triangles that a pose bends too sharply: at one of their edges the angle between the normals
// is larger than in the bind pose by more than `angle`, radians. Ascending.
std::vector<std::uint32_t>
bentTriangles(std::span<const vec3> bind, std::span<const vec3> posed,
              std::span<const Triangle> triangles,
              std::span<const std::pair<std::uint32_t, std::uint32_t>> neighbours, float angle);

// The largest of the listed values; 0 if none is listed.
float findLargest(std::span<const float> values, std::span<const std::uint32_t> listed);

} // namespace sinew
