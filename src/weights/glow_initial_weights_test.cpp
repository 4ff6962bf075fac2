#include "core/random.h"
#include "core/test_support.h"
#include "model/shapes.h"
#include "weights/glow_initial_weights.h"
#include "weights/initial_weights.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;

namespace {

// Equation 5, summed at many points.
double summedLight(const BoneSegment& bone, const vec3& point, const vec3& normal, int steps) {
  const glm::dvec3 from(bone.from);
  const glm::dvec3 along = glm::dvec3(bone.to) - from;
  const double length = glm::length(along);
  double sum = 0.0;
  for (int i = 0; i < steps; ++i) {
    const glm::dvec3 d = glm::dvec3(point) - (from + (i + 0.5) / steps * along);
    const double r = glm::length(d);
    const double received = std::max(glm::dot(d / r, glm::dvec3(normal)), 0.0) / (r * r);
    const double sent = glm::length(glm::cross(d / r, along / length));
    sum += received * sent * length / steps;
  }
  return sum;
}

// Nothing stands in the way.
SurfaceRays emptySpace() {
  return SurfaceRays(makeWeightSurface({}, {}));
}

Mesh tube(float length, float radius, std::uint32_t rings, std::uint32_t segments) {
  std::vector<Ring> loops;
  for (std::uint32_t r = 0; r < rings; ++r) {
    const float x = length * (static_cast<float>(r) + 0.5f) / static_cast<float>(rings);
    loops.push_back({vec3(x, 0, 0), vec3(0, radius, 0), vec3(0, 0, radius)});
  }
  return toMesh(sweep(vec3(0), loops, vec3(length, 0, 0), segments), "tube");
}

} // namespace

TEST_CASE("the light of a bone in closed form is that of equation 5") {
  Random random(11);
  for (int i = 0; i < 300; ++i) {
    const BoneSegment bone{test::randomPoint(random, 1.0f), test::randomPoint(random, 1.0f)};
    const vec3 point = test::randomPoint(random, 1.5f);
    const vec3 normal = glm::normalize(test::randomPoint(random, 1.0f) + vec3(1e-3f));
    const double length = static_cast<double>(glm::length(bone.to - bone.from));
    if (glm::length(nearestPoint(bone, point) - point) < 0.05f || length < 0.05) continue;
    CAPTURE(i);
    const double exact = computeLight(bone, point, normal, 0.0, length);
    CHECK(exact == doctest::Approx(summedLight(bone, point, normal, 20000)).epsilon(1e-4));
    // Stretches add up.
    const double cut = static_cast<double>(random.uniform()) * length;
    CHECK(computeLight(bone, point, normal, 0.0, cut) +
              computeLight(bone, point, normal, cut, length) ==
          doctest::Approx(exact).epsilon(1e-9));
  }
}

TEST_CASE("seen whole, integrating and stepping agree, stepping the better the more steps") {
  const SurfaceRays rays = emptySpace();
  const BoneSegment bone{vec3(0), vec3(1, 0, 0)};
  const vec3 point(0.3f, 0.2f, 0.0f);
  const vec3 normal = glm::normalize(vec3(0.3f, 1.0f, 0.0f));
  const double exact = visibleLight(bone, point, normal, rays);
  CHECK(exact == doctest::Approx(computeLight(bone, point, normal, 0.0, 1.0)));
  double before = 1.0;
  for (const std::uint32_t steps : {4u, 16u, 64u, 256u}) {
    const double off = std::abs(steppedLight(bone, point, normal, rays, steps) / exact - 1.0);
    CHECK(off < 0.5 * before);
    before = off;
  }
  CHECK(before < 1e-3);
}

TEST_CASE("a wall in front of half a bone takes that half's light away") {
  // A square across y = 0.5, x in [0.5, 2]: from (0.5, 1, 0) it hides the bone beyond x = 0.5.
  const std::vector<vec3> corners{{0.5f, 0.5f, -3}, {4, 0.5f, -3}, {4, 0.5f, 3}, {0.5f, 0.5f, 3}};
  const SurfaceRays rays(makeWeightSurface(corners, std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
  const BoneSegment bone{vec3(0), vec3(1, 0, 0)};
  const vec3 point(0.5f, 1.0f, 0.0f);
  const vec3 normal(0, 1, 0);
  CHECK(visibleLight(bone, point, normal, rays) ==
        doctest::Approx(computeLight(bone, point, normal, 0.0, 0.5)).epsilon(5e-3));
}

TEST_CASE("bone heat's source is the nearest bone that is seen") {
  const Mesh mesh = tube(2.0f, 0.2f, 20, 12);
  const WeightSurface surface = makeWeightSurface(mesh.positions, mesh.triangles);
  const SurfaceRays rays(surface);
  // The second bone lies outside, nearer to the upper side but behind the surface.
  const std::vector<BoneSegment> bones{{vec3(0.1f, 0, 0), vec3(1.9f, 0, 0)},
                                       {vec3(0.1f, -0.25f, 0), vec3(1.9f, -0.25f, 0)}};
  const InitialWeights initial = heatInitialWeights(surface, bones, &rays);
  for (std::size_t p = 0; p < surface.positions.size(); ++p) {
    if (surface.positions[p].y < 0.1f) continue;
    REQUIRE(initial.of(p).size() == 1);
    CHECK(initial.of(p)[0].joint == 0);
    const double d = static_cast<double>(
        glm::length(nearestPoint(bones[0], surface.positions[p]) - surface.positions[p]));
    CHECK(initial.anchoring[p] == doctest::Approx(1.0 / (d * d)).epsilon(1e-4));
  }
}

TEST_CASE("vertices equally near to two bones are shared") {
  const Mesh mesh = tube(2.0f, 0.2f, 21, 12);
  const WeightSurface surface = makeWeightSurface(mesh.positions, mesh.triangles);
  const SurfaceRays rays(surface);
  const std::vector<BoneSegment> bones{{vec3(0.1f, 0, 0), vec3(1, 0, 0)},
                                       {vec3(1, 0, 0), vec3(1.9f, 0, 0)}};
  const InitialWeights initial = heatInitialWeights(surface, bones, &rays);
  std::size_t shared = 0;
  for (std::size_t p = 0; p < surface.positions.size(); ++p)
    if (std::abs(surface.positions[p].x - 1.0f) < 1e-5f) {
      REQUIRE(initial.of(p).size() == 2);
      CHECK(initial.of(p)[0].weight == 0.5f);
      ++shared;
    }
  CHECK(shared == 12);
}
