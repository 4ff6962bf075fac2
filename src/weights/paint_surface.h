// The surface that a brush moves on. Vertices at one position are welded, so that a brush crosses
// texture seams and distances can be measured along the surface.
#pragma once

#include "core/lists.h"
#include "model/mesh.h"
#include "weights/paint_vertex.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

// Vertices of one group share items to paint and are welded where they coincide; vertices of no
// group (kNoEntry) are not painted and not part of the surface.
struct PaintSurface {
  std::vector<vec3> positions; // one per welded vertex
  std::vector<std::uint32_t> groupOfWelded;
  std::vector<Triangle> triangles;           // indices of welded vertices
  std::vector<std::uint32_t> weldedOfVertex; // kNoEntry: none
  Lists<std::uint32_t> verticesByWelded;     // per welded vertex
  Lists<std::uint32_t> trianglesByVertex;
};

PaintSurface makePaintSurface(std::span<const vec3> positions, std::span<const Triangle> triangles,
                              std::span<const std::uint32_t> groupOfVertex);

// A point on a triangle of the surface.
struct SurfacePoint {
  Triangle corners{}; // welded vertices
  vec3 position{0.0f};
};

// On a triangle of vertices, by barycentric coordinates; none if it is not part of the surface.
std::optional<SurfacePoint> surfacePoint(const PaintSurface& surface, const Triangle& vertices,
                                         const vec3& barycentric);

// The nearest point on the triangles around the nearest welded vertex. None where the surface is
// farther away than maxDistance or has no triangles.
std::optional<SurfacePoint> nearestSurfacePoint(const PaintSurface& surface, const vec3& position,
                                                float maxDistance);

struct Reached {
  std::uint32_t welded = 0;
  float distance = 0.0f; // below the radius
};

// The welded vertices within `radius` of a point, ascending. along: distances on the surface, from
// triangle to triangle, each unfolded into the plane of the one before (exact where the surface is
// developable); vertices not connected to the point's triangle within the radius are not reached.
// Otherwise straight distances.
std::vector<Reached> verticesWithin(const PaintSurface& surface, const SurfacePoint& center,
                                    float radius, bool along);

} // namespace sinew
