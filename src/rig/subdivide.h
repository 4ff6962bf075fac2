// Subdivision of a mesh where its joints bend it most, at bind time (methods, "Triangle subdivision
// and curvature"; Kavan and Zara 2003, section 4 and figure 7). The surface itself does not change:
// every new vertex lies on an old triangle, with positions, texture coordinates, colours and
// weights averaged, normals averaged and made unit. Old vertices keep their indices; new ones
// follow.
#pragma once

#include "rig/places.h"

#include <span>
#include <vector>

namespace sinew {

enum class Subdivision {
  centroid,  // 1:3: a vertex at the centroid, joined to the corners
  midpoints, // 1:4: a vertex in the middle of each edge; see below for the neighbours
};

// Splits the triangles of the mesh that are listed (indices, any order). With 1:4 a triangle beside
// a listed one, over an edge found by place and so across seams too, is split where its edges are:
// into two, three or four. So no T-vertex is left and a closed surface stays closed.
Mesh subdivide(const Mesh& mesh, std::span<const std::uint32_t> triangles, Subdivision kind);

// The triangles connected to a joint of the rig: all three vertices attached to it, where a vertex
// is attached to the joint that comes first in attachToJoints. Indices into Rig::triangles.
std::vector<std::uint32_t> trianglesOfJoint(const Rig& rig, std::uint32_t joint);

// The model with the triangles connected to any of the joints (indices into the joints of
// buildRig(model)) split, over all its meshes: none comes apart from its neighbour.
Model subdivideJoints(Model model, std::span<const std::uint32_t> joints, Subdivision kind);

// Places of vertices in the inside of an open edge, one that belongs to a single triangle: there a
// crack opens as soon as the vertex moves by itself. Within 1e-5 of the edge's length of the edge
// counts as on it.
std::size_t countTVertices(std::span<const vec3> positions, std::span<const Triangle> triangles);

} // namespace sinew
