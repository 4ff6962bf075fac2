#include "core/random.h"
#include "core/test_effort.h"
#include "core/test_support.h"
#include "metrics/self_intersection.h"
#include "model/shapes.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <chrono>
#include <cmath>
#include <limits>

using namespace sinew;

namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Pairs crossings(const Mesh& mesh) {
  return selfIntersections(mesh.positions, mesh.triangles, test::upTo(mesh.triangles.size()),
                           weldVertices(mesh.positions));
}

// By looking at all pairs: what the grid must find.
Pairs crossingsByAllPairs(const Mesh& mesh, const std::vector<std::uint32_t>& listed) {
  const std::vector<std::uint32_t> welded = weldVertices(mesh.positions);
  const auto corners = [&](const Triangle& t) {
    return std::array{glm::dvec3(mesh.positions[t[0]]), glm::dvec3(mesh.positions[t[1]]),
                      glm::dvec3(mesh.positions[t[2]])};
  };
  std::vector<bool> isListed(mesh.triangles.size(), false);
  for (const std::uint32_t i : listed)
    isListed[i] = true;
  Pairs pairs;
  for (std::uint32_t a = 0; a < mesh.triangles.size(); ++a)
    for (std::uint32_t b = a + 1; b < mesh.triangles.size(); ++b) {
      if (!isListed[a] && !isListed[b]) continue;
      bool shared = false;
      for (const std::uint32_t v : mesh.triangles[a])
        for (const std::uint32_t w : mesh.triangles[b])
          shared = shared || welded[v] == welded[w];
      if (!shared && trianglesCross(corners(mesh.triangles[a]), corners(mesh.triangles[b])))
        pairs.emplace_back(a, b);
    }
  return pairs;
}

Mesh twoBalls(float distance, std::uint32_t segments) {
  Shape shape = ellipsoid(vec3(0), vec3(1), segments, segments / 2);
  append(shape, ellipsoid(vec3(distance, 0.01f, 0.02f), vec3(1), segments, segments / 2));
  return toMesh(shape, "balls");
}

Mesh soup(std::uint64_t seed, std::uint32_t count, float size) {
  Random random(seed);
  const auto point = [&](float reach) {
    return vec3(random.uniform(-reach, reach), random.uniform(-reach, reach),
                random.uniform(-reach, reach));
  };
  Mesh mesh;
  for (std::uint32_t i = 0; i < count; ++i) {
    const vec3 middle = point(1.0f);
    for (int k = 0; k < 3; ++k)
      mesh.positions.push_back(middle + point(size));
    mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return mesh;
}

} // namespace

TEST_CASE("two triangles: crossing, apart, touching, in one plane") {
  const std::array<glm::dvec3, 3> flat = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
  const auto with = [&](const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c) {
    const bool one = trianglesCross(flat, {a, b, c});
    CHECK(one == trianglesCross({a, b, c}, flat));
    return one;
  };
  CHECK(with({1, 1, -1}, {1, 1, 1}, {9, 9, 0}));   // an edge through the inside
  CHECK(with({1, -1, -1}, {1, -1, 1}, {1, 9, 0})); // its edges through this one
  CHECK(!with({5, 5, -1}, {5, 5, 1}, {9, 9, 0}));  // through the plane, outside
  CHECK(!with({1, 1, 0.1}, {2, 1, 1}, {1, 2, 1})); // above
  CHECK(!with({1, 1, 0}, {2, 1, 1}, {1, 2, 1}));   // touches with a corner
  CHECK(!with({1, 1, 0}, {2, 1, 0}, {1, 2, 0}));   // in the plane
  CHECK(!with({0, 0, 1}, {4, 0, 1}, {0, 4, 1}));   // parallel
}

TEST_CASE("self-intersections: none in a ball, some in two that overlap") {
  CHECK(crossings(toMesh(ellipsoid(vec3(0), vec3(1, 0.5f, 0.3f), 20, 12), "ball")).empty());
  CHECK(crossings(twoBalls(2.1f, 20)).empty());
  const Mesh overlapping = twoBalls(1.2f, 20);
  const Pairs pairs = crossings(overlapping);
  CHECK(pairs.size() > 20);
  CHECK(pairs == crossingsByAllPairs(overlapping, test::upTo(overlapping.triangles.size())));
}

TEST_CASE("self-intersections: the grid finds what looking at all pairs finds") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    Mesh mesh = soup(seed, 250, seed % 3 == 0 ? 0.8f : 0.15f);
    Random random(seed + 1000);
    if (seed % 4 == 0) // some far larger than the others
      for (int i = 0; i < 3; ++i)
        mesh.positions[random.below(750)] *= 40.0f;
    if (seed % 5 == 0) // all in a slab without thickness
      for (vec3& p : mesh.positions)
        p.z = 0.0f;
    std::vector<std::uint32_t> listed;
    for (std::uint32_t i = 0; i < 250; ++i)
      if (random.below(3) == 0) listed.push_back(i);
    const Pairs pairs =
        selfIntersections(mesh.positions, mesh.triangles, listed, weldVertices(mesh.positions));
    CHECK(pairs == crossingsByAllPairs(mesh, listed));
    CHECK(pairs.empty() == (seed % 5 == 0));
  }
}

TEST_CASE("self-intersections: vertices that are not finite are left out") {
  Mesh mesh = twoBalls(1.2f, 12);
  const std::size_t before = crossings(mesh).size();
  mesh.positions[7].x = std::numeric_limits<float>::quiet_NaN();
  mesh.positions[30].y = std::numeric_limits<float>::infinity();
  CHECK(crossings(mesh).size() <= before);
  CHECK(!crossings(mesh).empty());
  for (vec3& p : mesh.positions)
    p = vec3(std::numeric_limits<float>::quiet_NaN());
  CHECK(crossings(mesh).empty());
}

TEST_CASE("self-intersections of 10,000 triangles are found at once") {
  const Mesh mesh = twoBalls(1.2f, 72);
  REQUIRE(mesh.triangles.size() > 10000);
  const auto start = std::chrono::steady_clock::now();
  const Pairs pairs = crossings(mesh);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  SINEW_FIGURE(mesh.triangles.size(), " triangles, ", pairs.size(), " pairs: ", seconds * 1e3,
               " ms");
  CHECK(pairs.size() > 100);
  CHECK(seconds < 60.0); // 0.2 s when optimised; the sanitizers on a busy machine need longer
}
