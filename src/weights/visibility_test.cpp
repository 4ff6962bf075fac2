#include "weights/paint_surface.h" // both kinds of a point on a surface, in one translation unit
#include "weights/visibility.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <type_traits>
#include <vector>

using namespace sinew;

// A type that two headers define differently is undefined behaviour that no linker reports.
static_assert(!std::is_same_v<ClosestPoint, SurfacePoint>);

TEST_CASE("visibility: the closest point of a surface, and what blocks a segment") {
  const std::vector<vec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 9}, {1, 0, 9}, {0, 1, 9}};
  const std::vector<Triangle> triangles{{0, 1, 2}, {3, 4, 5}};
  const SurfaceRays rays(makeWeightSurface(corners, triangles));

  const ClosestPoint inside = rays.nearest({0.25f, 0.5f, 2.0f});
  CHECK(inside.triangle == 0);
  CHECK(glm::length(inside.position - vec3(0.25f, 0.5f, 0.0f)) < 1e-5f);
  CHECK(glm::length(inside.corners - vec3(0.25f, 0.25f, 0.5f)) < 1e-5f);
  const ClosestPoint beyond = rays.nearest({-3.0f, -2.0f, 8.0f});
  CHECK(beyond.triangle == 1);
  CHECK(glm::length(beyond.position - vec3(0, 0, 9)) < 1e-5f);

  CHECK(rays.blocked({0.2f, 0.2f, -1.0f}, {0.2f, 0.2f, 1.0f}));
  CHECK(!rays.blocked({0.2f, 0.2f, 1.0f}, {0.2f, 0.2f, 8.0f}));
  CHECK(!rays.blocked({0.9f, 0.9f, -1.0f}, {0.9f, 0.9f, 1.0f}));
}
