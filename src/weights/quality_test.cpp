#include "model/shapes.h"
#include "weights/quality.h"

#include <doctest/doctest.h>
#include <glm/gtc/constants.hpp>

#include <algorithm>

using namespace sinew;

namespace {

Influences of(const std::vector<std::vector<Influence>>& vertices) {
  Influences out;
  for (const auto& vertex : vertices)
    out.append(vertex);
  return out;
}

} // namespace

TEST_CASE("weight quality: distance and bleeding of a few vertices") {
  const std::vector<std::uint32_t> chain{0, 0, 1, 2}; // 0 <- 1 <- 2 <- 3
  const Influences wanted = of({{{0, 1.0f}}, {{1, 0.5f}, {2, 0.5f}}, {}});
  const WeightDistance same = distanceBetween(wanted, wanted, chain);
  CHECK(same.mean == 0.0);
  CHECK(same.bleeding == 0.0);
  const Influences other = of({{{1, 0.75f}, {3, 0.25f}}, {{1, 0.5f}, {3, 0.5f}}, {{3, 1.0f}}});
  const WeightDistance d = distanceBetween(other, wanted, chain);
  CHECK(d.mean == doctest::Approx(0.5 * (2.0 + 1.0)));
  CHECK(d.largest == doctest::Approx(2.0));
  // At the first vertex joint 1 is 0's child, 3 is far; at the second 3 is 2's child.
  CHECK(d.bleeding == doctest::Approx(0.5 * 0.25));
}

TEST_CASE("weight quality: smoothness of a tube is that of its formula, at any scale") {
  constexpr float kLength = 2.0f;
  for (const float scale : {0.01f, 1.0f, 100.0f}) {
    std::vector<Ring> rings;
    for (std::uint32_t r = 0; r < 200; ++r)
      rings.push_back({scale * vec3(0.05f * static_cast<float>(r), 0, 0), scale * vec3(0, 1, 0),
                       scale * vec3(0, 0, 1)});
    const Mesh mesh = toMesh(sweep(scale * vec3(-1, 0, 0), rings, scale * vec3(11, 0, 0), 64), "");
    std::vector<std::vector<Influence>> vertices;
    for (const vec3& p : mesh.positions) {
      const float w = std::clamp((p.x / scale - 4.0f) / kLength, 0.0f, 1.0f);
      vertices.push_back({{0, w}, {1, 1.0f - w}});
    }
    const WeightSmoothness s =
        measureSmoothness(makeWeightSurface(mesh.positions, mesh.triangles), of(vertices));
    CHECK(
        s.dirichlet ==
        doctest::Approx(2.0 * glm::two_pi<double>() / static_cast<double>(kLength)).epsilon(0.02));
    CHECK(s.largestStep == doctest::Approx(0.05 / static_cast<double>(kLength)).epsilon(0.01));
    CHECK(s.steepStep <= s.largestStep);
  }
}

TEST_CASE("weight difference: the sum over joints, vertex by vertex") {
  Influences a;
  a.append({{{0, 1.0f}}});
  a.append({{{1, 0.75f}, {0, 0.25f}}});
  Influences b;
  b.append({{{2, 1.0f}}});
  b.append({{{0, 0.5f}, {1, 0.5f}}});
  const WeightDifference apart = weightDifference(a, b);
  CHECK(apart.mean == doctest::Approx(1.25));
  CHECK(apart.largest == doctest::Approx(2.0));
  REQUIRE(apart.joints.size() == 3);
  CHECK(apart.joints[0] == doctest::Approx(0.625));
  CHECK(apart.joints[1] == doctest::Approx(0.125));
  CHECK(apart.joints[2] == doctest::Approx(0.5));
  CHECK(weightDifference(a, a).largest == doctest::Approx(0.0));
  CHECK(weightDifference({}, {}).mean == doctest::Approx(0.0));
}
