#include "import/polygon_mesh.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

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

double computeArea(const std::vector<dvec3>& ring) {
  dvec3 normal(0.0);
  for (std::size_t i = 0; i < ring.size(); ++i)
    normal += 0.5 * glm::cross(ring[i], ring[(i + 1) % ring.size()]);
  return glm::length(normal);
}

// What is left of the first ring is cut into triangles that do not overlap: all run as it does, and
// their area is what the holes leave.
void checkHoles(const std::vector<std::vector<dvec3>>& rings) {
  std::vector<dvec3> corners;
  std::vector<std::size_t> ends;
  double area = 2.0 * computeArea(rings.front());
  for (const std::vector<dvec3>& ring : rings) {
    corners.insert(corners.end(), ring.begin(), ring.end());
    ends.push_back(corners.size());
    area -= computeArea(ring);
  }
  const RingWithHoles joined = joinHoles(corners, ends);
  CHECK(joined.omitted == 0);
  CHECK(joined.corners.size() == corners.size() + 2 * (rings.size() - 1));
  std::vector<dvec3> ring;
  for (const std::uint32_t corner : joined.corners)
    ring.push_back(corners[corner]);
  CHECK(computeArea(ring) == doctest::Approx(area));
  checkPolygon(ring);
}

// A ring of so many corners about a centre, in a slanted plane.
std::vector<dvec3> ringAbout(int x, int y, int count, double start, bool clockwise,
                             const std::function<double(int)>& radius) {
  std::vector<dvec3> out;
  for (int i = 0; i < count; ++i) {
    const double angle = (clockwise ? -i : i) * 6.283185307179586 / count + start;
    const double distance = radius(i);
    const double px = x + distance * std::cos(angle);
    out.emplace_back(px, y + distance * std::sin(angle), 0.7 * px);
  }
  return out;
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

TEST_CASE("holes of polygons are cut out") {
  const std::vector<dvec3> square = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}};
  std::vector<dvec3> hole = {{1, 1, 0}, {1, 3, 0}, {3, 3, 0}, {3, 1, 0}};
  for (int i = 0; i < 2; ++i) { // wound either way
    checkHoles({square, hole});
    std::reverse(hole.begin(), hole.end());
  }
  // Corners in rows and columns, so that many lie on one line.
  const auto constant = [](double radius) { return [radius](int) { return radius; }; };
  for (const double start : {0.0, 0.785398163397448}) {
    std::vector<std::vector<dvec3>> rings = {
        ringAbout(2, 2, 4, 0.785398163397448, false, constant(4.0))};
    for (int i = 0; i < 25; ++i)
      rings.push_back(ringAbout(i % 5, i / 5, 4, start, i % 2 == 0, constant(0.3)));
    checkHoles(rings);
  }
  // Stars within a star.
  std::mt19937 random(7);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int round = 0; round < 40; ++round) {
    std::vector<std::vector<dvec3>> rings = {ringAbout(2, 2, 30, between(0.0, 1.0), round % 2 == 0,
                                                       [&](int) { return between(4.0, 9.0); })};
    for (int i = 0; i < 25; ++i)
      if (between(0.0, 1.0) < 0.6)
        rings.push_back(ringAbout(i % 5, i / 5, 3 + i % 6, between(0.0, 6.0), i % 2 == 0,
                                  [&](int) { return between(0.1, 0.45); }));
    checkHoles(rings);
  }
}

TEST_CASE("holes outside of their polygon, or too many, are left out") {
  std::vector<dvec3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 5, 0}, {6, 5, 0}, {5, 6, 0}};
  const RingWithHoles outside = joinHoles(corners, std::vector<std::size_t>{3, 6});
  CHECK(outside.omitted == 1);
  CHECK(outside.corners == std::vector<std::uint32_t>{0, 1, 2});
  corners.resize(3 + kMaxEarCorners, dvec3(0.2, 0.2, 0.0));
  CHECK(joinHoles(corners, std::vector<std::size_t>{3, corners.size()}).corners.size() == 3);
}
