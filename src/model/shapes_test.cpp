#include "model/shapes.h"
#include "model/test_support.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <array>
#include <cmath>

using namespace sinew;

namespace {

double enclosedBy(const Mesh& mesh) {
  return sinew::computeVolume(mesh.positions, mesh.triangles);
}

std::vector<Ring> cylinder(std::uint32_t rings) {
  std::vector<Ring> list;
  for (std::uint32_t r = 0; r < rings; ++r)
    list.push_back({vec3(0, static_cast<float>(r) * 0.1f, 0), vec3(1, 0, 0), vec3(0, 0, -1)});
  return list;
}

} // namespace

TEST_CASE("an ellipsoid is closed, faces outward and has the right volume and normals") {
  const Mesh mesh = toMesh(ellipsoid(vec3(3, -1, 2), vec3(1.0f, 2.0f, 0.5f), 64, 47), "ellipsoid");
  CHECK(mesh.positions.size() == 64 * 47 + 2);
  CHECK(isClosedManifold(mesh.triangles));
  CHECK(enclosedBy(mesh) == doctest::Approx(4.0 / 3.0 * glm::pi<double>()).epsilon(0.01));
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const vec3 p = mesh.positions[v] - vec3(3, -1, 2);
    const vec3 expected = glm::normalize(p / (vec3(1.0f, 2.0f, 0.5f) * vec3(1.0f, 2.0f, 0.5f)));
    CHECK(glm::dot(expected, mesh.normals[v]) > 0.99f);
  }
}

TEST_CASE("a swept tube has a seamless texture and the cylinder's volume") {
  const std::uint32_t rings = 31;
  const Shape shape = sweep(vec3(0), cylinder(rings), vec3(0, 3, 0), 60);
  const Mesh mesh = toMesh(shape, "tube");
  CHECK(isClosedManifold(mesh.triangles));
  CHECK(enclosedBy(mesh) == doctest::Approx(glm::pi<double>() * 3.0).epsilon(0.01));
  for (const Quad& face : shape.faces)
    for (std::size_t i = 0; i < 4; ++i) {
      if (face[2] == face[3]) continue;
      const vec2 step = shape.texcoords[face[i]] - shape.texcoords[face[(i + 1) % 4]];
      CHECK(std::abs(step.x) <= 2.0f / 60.0f + 1e-5f);
    }
}

TEST_CASE("a grown limb keeps the surface closed and adds its own volume") {
  Shape shape = sweep(vec3(0), cylinder(31), vec3(0, 3, 0), 60);
  const double before = enclosedBy(toMesh(shape, ""));
  const std::size_t vertices = shape.positions.size();
  // Around angle 0, the wrapped place of the tube, which faces +X.
  const Patch patch = {
      .tubeSegments = 60, .firstRing = 12, .rings = 6, .firstSegment = 57, .segments = 6};
  std::vector<Ring> loops;
  for (int i = 1; i <= 20; ++i)
    loops.push_back(
        {vec3(1.0f + 0.1f * static_cast<float>(i), 1.5f, 0), vec3(0, 0, -0.3f), vec3(0, 0.3f, 0)});
  const std::uint32_t first = growLimb(shape, patch, loops, 0.3f);
  CHECK(first == vertices);
  CHECK(shape.positions.size() == vertices + std::size_t{20} * 24);
  const Mesh mesh = toMesh(shape, "limb");
  CHECK(isClosedManifold(mesh.triangles));
  // A cylinder of length 2 and half a ball, both of radius 0.3.
  const double r = 0.3;
  const double limb = glm::pi<double>() * (r * r * 2.0 + 2.0 / 3.0 * r * r * r);
  CHECK(enclosedBy(mesh) - before == doctest::Approx(limb).epsilon(0.05));
}

TEST_CASE("a curve meets its knots, holds outside and does not overshoot") {
  constexpr std::array kKnots = {vec2(0, 0), vec2(1, 1), vec2(2, 1), vec2(3, 5)};
  for (const vec2& knot : kKnots)
    CHECK(curveThrough(kKnots, knot.x) == doctest::Approx(knot.y));
  CHECK(curveThrough(kKnots, -1.0f) == 0.0f);
  CHECK(curveThrough(kKnots, 9.0f) == 5.0f);
  float last = 0.0f;
  for (int i = 0; i <= 300; ++i) {
    const float y = curveThrough(kKnots, 0.01f * static_cast<float>(i));
    CHECK(y >= last - 1e-6f);
    last = y;
  }
  CHECK(curveThrough(kKnots, 1.5f) == doctest::Approx(1.0f));
}
