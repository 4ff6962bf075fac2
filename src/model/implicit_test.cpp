#include "core/random.h"
#include "model/implicit.h"
#include "model/test_support.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

float unitBall(const vec3& p) {
  return glm::length(p) - 1.0f;
}

NodeGrid cube(std::uint32_t count, float half) {
  return {count, count, count, [=](std::uint32_t i, std::uint32_t j, std::uint32_t k) {
            const float step = 2.0f * half / static_cast<float>(count - 1);
            return step * vec3(i, j, k) - vec3(half);
          }};
}

Shape ball() {
  Shape shape = surfaceNets(cube(24, 1.3f), unitBall);
  for (vec3& p : shape.positions)
    p = projectTo(unitBall, p);
  return shape;
}

} // namespace

TEST_CASE("surface nets of a ball are closed, outward and of the ball's volume") {
  const Shape shape = ball();
  const auto triangles = triangulate(shape);
  CHECK(isClosedManifold(triangles));
  CHECK(computeVolume(shape.positions, triangles) ==
        doctest::Approx(4.0 / 3.0 * glm::pi<double>()).epsilon(0.02));
  for (const vec3& p : shape.positions)
    CHECK(glm::length(p) == doctest::Approx(1.0f).epsilon(1e-4));
}

TEST_CASE("relaxing evens out edges and stays on the surface") {
  Shape shape = ball();
  const auto triangles = triangulate(shape);
  const auto around = neighbours(shape.positions.size(), triangles);
  // Standard deviation of the triangles' areas over their mean.
  const auto unevenness = [&] {
    double sum = 0.0;
    double squares = 0.0;
    for (const auto& [a, b, c] : triangles) {
      const vec3& p = shape.positions[a];
      const double area = glm::length(glm::cross(shape.positions[b] - p, shape.positions[c] - p));
      sum += area;
      squares += area * area;
    }
    const double mean = sum / static_cast<double>(triangles.size());
    return std::sqrt(squares / static_cast<double>(triangles.size()) - mean * mean) / mean;
  };
  const double before = unevenness();
  relax(shape.positions, around, unitBall, 8,
        [](std::uint32_t /*vertex*/, const vec3& p) { return p; });
  CHECK(unevenness() < 0.7 * before);
  CHECK(isClosedManifold(triangles));
  for (const vec3& p : shape.positions)
    CHECK(glm::length(p) == doctest::Approx(1.0f).epsilon(1e-4));
}

TEST_CASE("a cut leaves every triangle on one side, the surface closed and in place") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const vec3 normal =
        glm::normalize(vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)));
    const float offset = random.uniform(-0.7f, 0.7f);
    const Field plane = [=](const vec3& p) { return glm::dot(p, normal) - offset; };
    Shape shape = ball();
    auto triangles = triangulate(shape);
    const double volume = computeVolume(shape.positions, triangles);
    cutAlong(shape.positions, triangles, unitBall, plane);
    CHECK(isClosedManifold(triangles));
    CHECK(computeVolume(shape.positions, triangles) == doctest::Approx(volume).epsilon(0.005));
    std::size_t onCut = 0;
    for (const vec3& p : shape.positions)
      if (std::abs(plane(p)) < 1e-4f) ++onCut;
    CHECK(onCut > 20);
    for (const Triangle& t : triangles) {
      float low = 1.0f;
      float high = -1.0f;
      for (const std::uint32_t v : t) {
        low = std::min(low, plane(shape.positions[v]));
        high = std::max(high, plane(shape.positions[v]));
      }
      CHECK((low > -1e-4f || high < 1e-4f));
    }
  }
}

TEST_CASE("smooth union contains both, differs only near where they meet") {
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const float a = random.uniform(-1, 1);
    const float b = random.uniform(-1, 1);
    const float both = smoothUnion(a, b, 0.2f);
    CHECK(both <= std::min(a, b));
    CHECK(both >= std::min(a, b) - 0.05f - 1e-6f);
    if (std::abs(a - b) >= 0.2f) CHECK(both == std::min(a, b));
    CHECK(smoothIntersection(a, b, 0.2f) == -smoothUnion(-a, -b, 0.2f));
  }
}
