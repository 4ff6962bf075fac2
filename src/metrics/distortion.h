// Distortion of a mesh in a pose: how its edges stretch, and which triangles flip.
#pragma once

#include "model/mesh.h"
#include "rig/welded_vertices.h"

#include <span>
#include <vector>

namespace sinew {

// Edges of the listed triangles, between welded vertices, without duplicates.
std::vector<WeldedEdge> listEdges(std::span<const Triangle> triangles,
                                  std::span<const std::uint32_t> listed,
                                  std::span<const std::uint32_t> welded);

// The lengths of edges in the pose over those in the bind pose.
struct Stretch {
  float largest = 1.0f;
  float mean = 1.0f; // every edge counts the same
};

// Edges without length in `rest` are ignored; 1 and 1 if no edge remains.
Stretch measureStretch(std::span<const WeldedEdge> edges, std::span<const vec3> rest,
                       std::span<const vec3> posed);

// The fraction of the listed triangles, 0 to 1, flipped relative to the same pose by another
// method, such as linear blending: the dot product of their normals is negative. One without area
// in either mesh is not flipped. 0 if none is listed.
float flippedFraction(std::span<const Triangle> triangles, std::span<const std::uint32_t> listed,
                      std::span<const vec3> reference, std::span<const vec3> posed);

} // namespace sinew
