// The surface that automatic weights are solved on: a mesh as artists make them, mended for the
// solver alone. Vertices at one place are one (so both sides of a texture seam get the same
// weights), what is no triangle is left out, and windings agree and point outwards.
#pragma once

#include "model/mesh.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// What was found and dealt with; 0 everywhere for a clean closed mesh in one piece but `shells`.
struct SurfaceRepairs {
  std::size_t nonFiniteVertices = 0;   // stand in the middle of the mesh instead
  std::size_t weldedVertices = 0;      // repeat another vertex's place
  std::size_t degenerateTriangles = 0; // without area; left out
  std::size_t repeatedTriangles = 0;   // of the same three places; left out
  std::size_t turnedTriangles = 0;     // wound against the rest
  std::size_t nonManifoldEdges = 0;    // of three triangles or more
  std::size_t openEdges = 0;           // of one triangle
  std::size_t looseVertices = 0;       // places of no triangle
  std::size_t shells = 0;              // connected pieces, loose vertices left aside
};

struct WeightSurface {
  std::vector<vec3> positions; // one per place
  std::vector<vec3> normals;   // unit, outward; zero at loose places
  std::vector<Triangle> triangles;
  std::vector<std::uint32_t> placeOfVertex; // of every vertex given
  std::vector<std::uint32_t> shellOfPlace;  // loose places are shells of their own, behind the rest
  std::uint32_t shellCount = 0;             // those included
  float size = 1.0f;                        // diagonal of its box; positive
  SurfaceRepairs repairs;
};

// Triangles that name vertices that are not there are left out as degenerate.
WeightSurface makeWeightSurface(std::span<const vec3> positions,
                                std::span<const Triangle> triangles);

} // namespace sinew
