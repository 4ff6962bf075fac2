// The surface that a brush moves on: vertices at one place are one, so that a brush crosses texture
// seams, and distances are measured along it.
#pragma once

#include "model/mesh.h"
#include "weights/paint_vertex.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

// Lists of numbers, one for every place.
struct PlaceLists {
  std::vector<std::uint32_t> offsets{0};
  std::vector<std::uint32_t> values;
  std::span<const std::uint32_t> of(std::size_t place) const {
    return {values.data() + offsets[place], values.data() + offsets[place + 1]};
  }
};

// Vertices of one group may be at one place and share items to paint; those of no group (kNoItem)
// are not painted and not part of the surface.
struct PaintSurface {
  std::vector<vec3> positions; // one per place
  std::vector<std::uint32_t> groupOfPlace;
  std::vector<Triangle> triangles;          // of places
  std::vector<std::uint32_t> placeOfVertex; // kNoItem: none
  PlaceLists verticesOf;
  PlaceLists trianglesOf;
};

PaintSurface makePaintSurface(std::span<const vec3> positions, std::span<const Triangle> triangles,
                              std::span<const std::uint32_t> groupOfVertex);

// A point on a triangle of the surface.
struct SurfacePoint {
  Triangle corners{}; // places
  vec3 position{0.0f};
};

// On a triangle of vertices, by the shares of its corners; none where it is not of the surface.
std::optional<SurfacePoint> surfacePoint(const PaintSurface& surface, const Triangle& vertices,
                                         const vec3& shares);

// Near the place that is nearest: on the triangles around it. None where the surface is farther
// away than `most` or has no triangles there.
std::optional<SurfacePoint> nearestSurfacePoint(const PaintSurface& surface, const vec3& position,
                                                float most);

struct Reached {
  std::uint32_t place = 0;
  float distance = 0.0f; // below the radius
};

// The places within `radius` of a point, ascending. along: measured on the surface, from triangle
// to triangle, each unfolded into the plane of the one before (exact where the surface is flat or
// bends one way); what does not hang together with the point's triangle within the radius is not
// reached. Else the straight distance.
std::vector<Reached> placesWithin(const PaintSurface& surface, const SurfacePoint& center,
                                  float radius, bool along);

} // namespace sinew
