#include "import/triangulate.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

using namespace sinew;
using glm::dvec3;

namespace {

// All triangles run as the polygon does, and their areas are its own.
void checkPolygon(const std::vector<dvec3>& corners) {
  const std::vector<Triangle> triangles = triangulatePolygon(corners);
  REQUIRE(triangles.size() == corners.size() - 2);
  dvec3 normal(0.0);
  for (std::size_t i = 0; i < corners.size(); ++i)
    normal += 0.5 * glm::cross(corners[i], corners[(i + 1) % corners.size()]);
  const double area = glm::length(normal);
  double sum = 0.0;
  for (const auto& [a, b, c] : triangles) {
    const double own =
        0.5 * glm::dot(glm::cross(corners[b] - corners[a], corners[c] - corners[a]), normal / area);
    CHECK(own > -1e-12);
    sum += own;
  }
  CHECK(sum == doctest::Approx(area));
}

} // namespace

TEST_CASE("convex polygons become fans, concave ones keep their outline") {
  const std::vector<dvec3> quad = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  CHECK(triangulatePolygon(quad) == std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}});
  // Reflex at corner 2: the fan about corner 0 would be right, that about corner 1 is not.
  checkPolygon({{0, 0, 0}, {2, 0, 1}, {0.5, 0.5, 0.5}, {0, 2, 1}});
  checkPolygon({{2, 0, 1}, {0.5, 0.5, 0.5}, {0, 2, 1}, {0, 0, 0}});
  // A comb.
  std::vector<dvec3> comb;
  comb.reserve(12);
  for (int i = 0; i < 10; ++i)
    comb.emplace_back(i, i % 2 == 0 ? 0.1 : 3.0, 0.0);
  comb.emplace_back(9.0, -1.0, 0.0);
  comb.emplace_back(0.0, -1.0, 0.0);
  checkPolygon(comb);
  std::reverse(comb.begin(), comb.end());
  checkPolygon(comb);
  // A star, in a slanted plane.
  std::vector<dvec3> star;
  star.reserve(14);
  for (int i = 0; i < 14; ++i) {
    const double r = i % 2 == 0 ? 2.0 : 0.6;
    star.emplace_back(r * std::cos(i * 0.4488), r * std::sin(i * 0.4488),
                      0.7 * r * std::cos(i * 0.4488));
  }
  checkPolygon(star);
}

TEST_CASE("polygons without an area have triangles all the same") {
  CHECK(triangulatePolygon(std::vector<dvec3>(5, dvec3(1.0))).size() == 3);
  CHECK(triangulatePolygon(std::vector<dvec3>{{0, 0, 0}, {1, 0, 0}}).empty());
  // A bow tie crosses itself.
  CHECK(triangulatePolygon(std::vector<dvec3>{{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}).size() ==
        2);
}
