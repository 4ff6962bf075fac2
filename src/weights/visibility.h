// Visibility between points: rays against a surface, by Embree.
#pragma once

#include "weights/surface.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace sinew {

// A point of the surface: a triangle's index and the weights of its corners.
struct ClosestPoint {
  std::uint32_t triangle = 0;
  vec3 corners{1.0f, 0.0f, 0.0f};
  vec3 position{0.0f};
};

// Thread-safe for concurrent queries.
class SurfaceRays {
 public:
  // Tests the given triangles of the surface, or all of them. Copies its input.
  explicit SurfaceRays(const WeightSurface& surface);
  SurfaceRays(const WeightSurface& surface, std::span<const std::uint32_t> triangles);
  ~SurfaceRays();
  SurfaceRays(SurfaceRays&&) noexcept;
  SurfaceRays& operator=(SurfaceRays&&) noexcept;

  // Whether the open segment from a point of the surface to another point meets the surface.
  // Intersections within a hundred-thousandth of the surface's size of either end are ignored: they
  // are with the surface around the end points.
  bool blocked(const vec3& from, const vec3& to) const;

  // The same for eight segments from one point.
  std::array<bool, 8> blocked(const vec3& from, const std::array<vec3, 8>& to) const;

  // The closest point of the surface. Requires at least one triangle.
  ClosestPoint nearest(const vec3& point) const;

 private:
  struct Scene;
  std::unique_ptr<Scene> scene_;
};

} // namespace sinew
