// The last steps of reading a mesh, whatever it was read from.
#pragma once

#include "import/repairs.h"
#include "model/model.h"

#include <functional>
#include <string_view>
#include <vector>

namespace sinew {

// Drops triangles with vertices that do not exist or are not usable (isUsable()).
void dropBrokenTriangles(Mesh& mesh, RepairLog& repairs);

// Normals where they are missing or belong to another surface, equal vertices joined, triangles
// with two equal corners dropped. Influences are there already. Returns one of the vertices that
// each vertex has become, or kDroppedVertex.
std::vector<std::uint32_t> finishMesh(Mesh& mesh, RepairLog& repairs);

// A mesh without triangles is left out with a warning.
void appendMesh(Mesh mesh, Model& model);

// Joins vertices that agree in everything, and drops those no triangle uses. Positions, their
// offsets by morph targets and influences agree exactly, normals, texture coordinates and colours
// to 1e-5. Order is that of first use of the position in the vertex list. Triangles keep their
// order and winding. Returns the new index of every vertex, or kDroppedVertex.
inline constexpr std::uint32_t kDroppedVertex = ~0u;
std::vector<std::uint32_t> weldVertices(Mesh& mesh);

// The vertices that `sources` names, in its order; triangles stay.
void keepVertices(const std::vector<std::uint32_t>& sources, Mesh& mesh);

// Normals for meshes that come without: gives every corner its own vertex (influences and the rest
// copied) and each the area-weighted mean of the triangle normals around its place, leaving out
// those across an edge sharper than `creaseCosine`. Morph targets lose their normals. Weld
// afterwards.
void makeNormals(Mesh& mesh, float creaseCosine);

// Makes normals unit; those that are zero or not finite are computed from the triangles. Returns
// how many.
std::size_t repairNormals(Mesh& mesh);

// The fraction of triangle corners whose normal points behind their triangle, [0, 1]. Smooth
// normals of coarse meshes do so at a few sharp edges (below 0.02 on good files); normals that
// belong to another shape do it all over; near 1 the triangles wind the other way.
double fractionBehind(const Mesh& mesh);

// Positions as keys of a hash table: vertices at the same place.
struct PositionHash {
  std::size_t operator()(const vec3& p) const {
    const vec3 q = p + 0.0f; // -0 and 0 are one place
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(&q), sizeof q});
  }
};

} // namespace sinew
