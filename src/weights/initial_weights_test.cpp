#include "animation/random_model.h"
#include "core/random.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "model/shapes.h"
#include "weights/automatic_weights.h"
#include "weights/initial_weights.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

Mesh sphere() {
  return toMesh(ellipsoid(vec3(0), vec3(1), 64, 49), "sphere");
}

// How often the surface winds about a point: 1 within, 0 outside (van Oosterom and Strackee 1983).
double windings(const WeightSurface& surface, const vec3& point) {
  double angle = 0.0;
  for (const Triangle& t : surface.triangles) {
    const glm::dvec3 a(surface.positions[t[0]] - point);
    const glm::dvec3 b(surface.positions[t[1]] - point);
    const glm::dvec3 c(surface.positions[t[2]] - point);
    const double la = glm::length(a), lb = glm::length(b), lc = glm::length(c);
    angle += 2.0 * std::atan2(glm::dot(a, glm::cross(b, c)), la * lb * lc + glm::dot(a, b) * lc +
                                                                 glm::dot(b, c) * la +
                                                                 glm::dot(c, a) * lb);
  }
  return angle / (4.0 * 3.14159265358979);
}

float weightOfBone(std::span<const Influence> influences, std::uint32_t bone) {
  for (const Influence& influence : influences)
    if (influence.joint == bone) return influence.weight;
  return 0.0f;
}

// Whether the surface's other parts enclose a vertex: there both its sides are inside.
bool isBuried(const WeightSurface& surface, std::uint32_t vertex) {
  vec3 normal(0.0f);
  for (const Triangle& t : surface.triangles)
    if (std::ranges::count(t, vertex) != 0)
      normal += glm::cross(surface.positions[t[1]] - surface.positions[t[0]],
                           surface.positions[t[2]] - surface.positions[t[0]]);
  const vec3 outwards = 1e-3f * surface.size * glm::normalize(normal);
  return windings(surface, surface.positions[vertex] + outwards) > 0.5;
}

} // namespace

TEST_CASE("inside: a free way leads inside where the surface winds about its middle") {
  for (const char* name : {"body-arm", "arm"}) {
    CAPTURE(name);
    const Model model = findDemo(name).make();
    const Mesh& mesh = model.meshes[0];
    const WeightSurface surface = makeWeightSurface(mesh.positions, mesh.triangles);
    REQUIRE(surface.repairs.openEdges == 0);
    const SurfaceSides sides(surface);
    const SurfaceRays rays(surface);
    Random random(5);
    int inside = 0, outside = 0;
    for (int i = 0; i < test::rounds(3000, 300); ++i) {
      const auto v = static_cast<std::uint32_t>(
          std::min(random.uniform() * static_cast<float>(surface.positions.size()),
                   static_cast<float>(surface.positions.size() - 1)));
      const vec3& at = surface.positions[v];
      const vec3 to =
          at + 0.3f * surface.size * random.uniform(0.05f, 1.0f) * randomDirection(random);
      if (rays.blocked(at, to) || isBuried(surface, v)) continue;
      const bool within = windings(surface, 0.5f * (at + to)) > 0.5;
      CAPTURE(v);
      CHECK(sides.leadsInside(v, to) == within);
      ++(within ? inside : outside);
    }
    CHECK(inside > 30);
    CHECK(outside > 100);
  }
}

TEST_CASE("bone heat: a vertex of a sphere is never held by a bone outside") {
  const Mesh mesh = sphere();
  const WeightSurface surface = makeWeightSurface(mesh.positions, mesh.triangles);
  const SurfaceRays rays(surface);
  Random random(6);
  for (int round = 0; round < test::rounds(20, 4); ++round) {
    CAPTURE(round);
    const vec3 out = randomDirection(random);
    const float near = random.uniform(1.02f, 1.5f);
    const std::vector<BoneSegment> bones{
        {random.uniform(-0.4f, 0.4f) * randomDirection(random), vec3(0, 0.3f, 0)},
        {near * out, (near + 1.0f) * out}};
    const InitialWeights initial = heatInitialWeights(surface, bones, &rays);
    for (std::size_t p = 0; p < surface.positions.size(); ++p) {
      CHECK(weightOfBone(initial.of(p), 0) == 1.0f);
      CHECK(initial.anchoring[p] > 0.0);
    }
    const AutomaticWeights weights = automaticWeights(mesh.positions, mesh.triangles, bones,
                                                      {.algorithm = WeightAlgorithm::boneHeat});
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
      CHECK(weightOfBone(weights.influences.of(v), 1) == 0.0f);
  }
}

TEST_CASE("bone heat: a surface that has all its bones outside holds to those it sees") {
  const Mesh mesh = sphere();
  const WeightSurface surface = makeWeightSurface(mesh.positions, mesh.triangles);
  const SurfaceRays rays(surface);
  const std::vector<BoneSegment> bones{{{1.5f, 0, 0}, {2.5f, 0, 0}},
                                       {{-1.5f, 0, 0}, {-2.5f, 0, 0}}};
  const InitialWeights initial = heatInitialWeights(surface, bones, &rays);
  for (std::size_t p = 0; p < surface.positions.size(); ++p) {
    const float x = surface.positions[p].x;
    if (x > 0.7f) CHECK(weightOfBone(initial.of(p), 0) == 1.0f);
    if (x < -0.7f) CHECK(weightOfBone(initial.of(p), 1) == 1.0f);
  }
}
