// The surface that automatic weights are solved on: a mesh repaired for the solver only. Vertices
// at one position are welded (so both sides of a texture seam get the same weights), degenerate
// triangles are dropped, and windings agree and point outwards.
#pragma once

#include "model/mesh.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// What was repaired; all 0 for a clean closed mesh, except `components`.
struct SurfaceRepairs {
  std::size_t nonFiniteVertices = 0;   // moved to the center of the mesh
  std::size_t weldedVertices = 0;      // at the position of another vertex
  std::size_t degenerateTriangles = 0; // without area; dropped
  std::size_t repeatedTriangles = 0;   // with the same three vertices; dropped
  std::size_t flippedTriangles = 0;    // wound against the rest
  std::size_t nonManifoldEdges = 0;    // edges that three triangles or more share
  std::size_t openEdges = 0;           // edges that one triangle has
  std::size_t looseVertices = 0;       // welded vertices without a triangle
  std::size_t components = 0;          // connected components, without loose vertices
};

struct WeightSurface {
  std::vector<vec3> positions; // one per welded vertex
  std::vector<vec3> normals;   // unit, outward; zero at loose vertices
  std::vector<Triangle> triangles;
  std::vector<std::uint32_t> weldedOfVertex; // per given vertex
  std::vector<std::uint32_t>
      componentOfWelded;            // loose vertices are components of their own, after the rest
  std::uint32_t componentCount = 0; // including loose vertices
  float size = 1.0f;                // diagonal of its box; positive
  SurfaceRepairs repairs;
};

// Triangles with invalid vertex indices are dropped as degenerate.
WeightSurface makeWeightSurface(std::span<const vec3> positions,
                                std::span<const Triangle> triangles);

} // namespace sinew
