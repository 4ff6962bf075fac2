#include "animation/random_model.h"
#include "core/random.h"
#include "core/test_support.h"
#include "demo/demo.h"
#include "metrics/volume.h"
#include "model/shapes.h"
#include "model/test_support.h"

#include <doctest/doctest.h>
#include <glm/gtc/constants.hpp>

#include <cmath>

using namespace sinew;

namespace {

// The box from -1 to 1 without the two triangles that face +Z.
Mesh openBox() {
  Mesh mesh;
  for (const float z : {-1.0f, 1.0f})
    mesh.positions.insert(mesh.positions.end(), {{-1, -1, z}, {1, -1, z}, {1, 1, z}, {-1, 1, z}});
  mesh.triangles = {{0, 2, 1}, {0, 3, 2}};
  for (std::uint32_t k = 0; k < 4; ++k) {
    const std::uint32_t next = (k + 1) % 4;
    mesh.triangles.push_back({k, next, next + 4});
    mesh.triangles.push_back({k, next + 4, k + 4});
  }
  return mesh;
}

Region makeWholeRegion(const Mesh& mesh) {
  return makeRegion(mesh.triangles, test::upTo(mesh.triangles.size()),
                    weldVertices(mesh.positions));
}

} // namespace

TEST_CASE("volume of a box: closed, and with holes that are capped") {
  Mesh box = openBox();
  const Region open = makeWholeRegion(box);
  REQUIRE(open.rims.size() == 1);
  CHECK(open.rims[0].size() == 4);
  CHECK(computeVolume(open, box.positions) == doctest::Approx(8.0));
  Mesh tube = box; // without its bottom too: two rims
  tube.triangles.erase(tube.triangles.begin(), tube.triangles.begin() + 2);
  CHECK(makeWholeRegion(tube).rims.size() == 2);
  CHECK(computeVolume(makeWholeRegion(tube), tube.positions) == doctest::Approx(8.0));
  box.triangles.push_back({4, 5, 6});
  box.triangles.push_back({4, 6, 7});
  CHECK(makeWholeRegion(box).closed());
  CHECK(computeVolume(makeWholeRegion(box), box.positions) == doctest::Approx(8.0));
  for (Triangle& t : box.triangles)
    std::swap(t[1], t[2]);
  CHECK(computeVolume(makeWholeRegion(box), box.positions) == doctest::Approx(-8.0));
}

TEST_CASE("volume of a ball goes to 4/3 pi abc") {
  const Mesh ball = toMesh(ellipsoid(vec3(5, 6, 7), vec3(1, 2, 0.5f), 96, 64), "ball");
  const double exact = 4.0 / 3.0 * glm::pi<double>();
  CHECK(computeVolume(makeWholeRegion(ball), ball.positions) ==
        doctest::Approx(exact).epsilon(0.005));
  CHECK(computeVolume(makeWholeRegion(ball), ball.positions) < exact); // it lies inside
  CHECK(computeVolume(makeWholeRegion(ball), ball.positions) ==
        doctest::Approx(computeVolume(ball.positions, ball.triangles)).epsilon(1e-4));
}

TEST_CASE("any part has the same volume wherever it stands, and parts make up the whole") {
  const Mesh ball = toMesh(ellipsoid(vec3(0), vec3(1, 0.8f, 0.6f), 14, 9), "ball");
  const std::vector<std::uint32_t> welded = weldVertices(ball.positions);
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<std::uint32_t> part;
    for (std::uint32_t i = 0; i < ball.triangles.size(); ++i)
      if (random.below(2) == 0) part.push_back(i);
    const Region region = makeRegion(ball.triangles, part, welded);
    const double before = computeVolume(region, ball.positions);
    const quat rotation = randomRotation(random);
    std::vector<vec3> moved = ball.positions;
    for (vec3& p : moved)
      p = rotation * p + vec3(3, -2, 1);
    CHECK(std::abs(computeVolume(region, moved) - before) < 1e-5);
  }
  // Cut by the plane x = 0 the halves have the same rim, so their caps cancel.
  std::vector<std::uint32_t> left, right;
  for (std::uint32_t i = 0; i < ball.triangles.size(); ++i) {
    const auto& [a, b, c] = ball.triangles[i];
    (ball.positions[a].x + ball.positions[b].x + ball.positions[c].x < 0.0f ? left : right)
        .push_back(i);
  }
  CHECK(computeVolume(makeRegion(ball.triangles, left, welded), ball.positions) +
            computeVolume(makeRegion(ball.triangles, right, welded), ball.positions) ==
        doctest::Approx(computeVolume(makeWholeRegion(ball), ball.positions)).epsilon(1e-5));
}

TEST_CASE("connected parts: each with its own volume") {
  Mesh two = openBox();
  const Mesh ball = toMesh(ellipsoid(vec3(9, 0, 0), vec3(1), 16, 12), "ball");
  const auto first = static_cast<std::uint32_t>(two.positions.size());
  two.positions.insert(two.positions.end(), ball.positions.begin(), ball.positions.end());
  for (const auto& [a, b, c] : ball.triangles)
    two.triangles.push_back({a + first, b + first, c + first});
  const auto parts = connectedParts(two.triangles, weldVertices(two.positions));
  REQUIRE(parts.size() == 2);
  CHECK(!parts[0].closed());
  CHECK(parts[1].closed());
  CHECK(computeVolume(parts[0], two.positions) == doctest::Approx(8.0));
  CHECK(computeVolume(parts[1], two.positions) ==
        doctest::Approx(computeVolume(makeWholeRegion(ball), ball.positions)));
}

TEST_CASE("no triangles, no volume; flat ones neither") {
  const Mesh box = openBox();
  CHECK(computeVolume(makeRegion(box.triangles, {}, weldVertices(box.positions)), box.positions) ==
        0.0);
  const Region flat = makeRegion(box.triangles, std::vector{0u, 1u}, weldVertices(box.positions));
  CHECK(std::abs(computeVolume(flat, box.positions)) < 1e-12);
}
