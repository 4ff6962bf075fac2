// Subdivision of a mesh where its joints bend it most, at bind time (docs/methods.md, section 10;
// Kavan and Zara 2003, section 4 and figure 7). The surface itself does not change: every new
// vertex lies on an old triangle, with positions, texture coordinates, colours and weights
// averaged, normals averaged and made unit. Old vertices keep their indices; new ones follow, and
// are counted in Mesh::insertedVertices.
#pragma once

#include "rig/welded_vertices.h"

#include <span>
#include <vector>

namespace sinew {

enum class Subdivision {
  centroid,  // 1:3: a vertex at the centroid, joined to the corners
  midpoints, // 1:4: a vertex in the middle of each edge; see below for the neighbours
};

// Splits the listed triangles of the mesh (indices, any order). With 1:4 a neighbour of a listed
// triangle, over a welded edge and so across seams too, is split at the split edges: into two,
// three or four. So no T-vertex remains and a closed surface stays closed.
Mesh subdivide(const Mesh& mesh, std::span<const std::uint32_t> triangles, Subdivision kind);

// The triangles connected to a joint of the rig: all three vertices attached to it, where a vertex
// is attached to its first joint in attachToJoints(). Indices into Rig::triangles.
std::vector<std::uint32_t> trianglesOfJoint(const Rig& rig, std::uint32_t joint);

// The model with the listed triangles of buildRig(model) split, in all its meshes together, so that
// they stay connected.
Model subdivideTriangles(Model model, std::span<const std::uint32_t> triangles, Subdivision kind);

// The same for the triangles connected to any of the joints (indices into the joints of
// buildRig(model)).
Model subdivideJoints(Model model, std::span<const std::uint32_t> joints, Subdivision kind);

// Number of welded vertices inside an open edge, one of a single triangle: a crack opens there when
// the vertex moves independently. Vertices within 1e-5 of the edge's length of the edge are on it.
std::size_t countTVertices(std::span<const vec3> positions, std::span<const Triangle> triangles);

} // namespace sinew
