// Cross-sections, stretch and flips: small measures, tested together on shapes of known answers.
#include "animation/random_model.h"
#include "core/random.h"
#include "core/test_support.h"
#include "demo/demo.h"
#include "demo/rigging.h"
#include "metrics/cross_section.h"
#include "metrics/distortion.h"
#include "model/shapes.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <cmath>

using namespace sinew;

namespace {

struct Elbow {
  Rig rig;
  std::uint32_t joint;
  BoneAxis axis;
  Zone zone;
};

Elbow elbowOfArm() {
  const Model arm = findDemo("arm").make();
  Elbow elbow{buildRig(arm), jointNamed(arm, "LowerArm"), {}, {}};
  const std::vector<BoneAxis> axes = boneAxes(elbow.rig);
  elbow.axis = axes[elbow.joint];
  elbow.zone = zonesFromWeights(elbow.rig, axes)[elbow.joint];
  return elbow;
}

} // namespace

TEST_CASE("cross-sections of the demo arm's elbow are its rings") {
  const Elbow elbow = elbowOfArm();
  const auto rings = vertexRings(elbow.rig, elbow.joint, elbow.axis, elbow.zone);
  CHECK(rings.size() >= 4);
  float last = elbow.zone.min - 1e-5f;
  for (const CrossSection& ring : rings) {
    CHECK(ring.points.size() == 28); // as the arm has segments
    CHECK(ring.along > last);
    last = ring.along;
    for (const SectionPoint& point : ring.points)
      CHECK(std::abs(elbow.rig.positions[point.a].x - 0.30f - ring.along) < 1e-5f);
    // Half height 0.043 and half depth 0.045 at the elbow.
    CHECK(computeRadius(ring, elbow.rig.positions) > 0.042);
    CHECK(computeRadius(ring, elbow.rig.positions) < 0.049);
  }
  CHECK(last <= elbow.zone.max + 1e-5f);
}

TEST_CASE("smallest radius: of the one ring that shrinks, however the limb stands") {
  const Elbow elbow = elbowOfArm();
  const auto& rest = elbow.rig.positions;
  const auto rings = vertexRings(elbow.rig, elbow.joint, elbow.axis, elbow.zone);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const quat rotation = randomRotation(random);
    std::vector<vec3> posed = rest;
    for (vec3& p : posed)
      p = rotation * p + vec3(1, 2, 3);
    CHECK(smallestRadiusRatio(rings, rest, posed) == doctest::Approx(1.0f).epsilon(1e-4));
    const float factor = random.uniform(0.05f, 0.95f);
    const CrossSection& ring = rings[random.below(static_cast<std::uint32_t>(rings.size()))];
    vec3 middle(0.0f);
    for (const auto& [v, same, share] : ring.points)
      middle += posed[v] / static_cast<float>(ring.points.size());
    for (const auto& [v, same, share] : ring.points)
      posed[v] = middle + factor * (posed[v] - middle);
    CHECK(smallestRadiusRatio(rings, rest, posed) == doctest::Approx(factor).epsilon(1e-3));
  }
}

TEST_CASE("cross-sections of a mesh without regular rings, and of none") {
  Elbow elbow = elbowOfArm();
  Random random(5);
  for (vec3& p : elbow.rig.positions)
    p.x += random.uniform(-0.004f, 0.004f);
  const auto rings = vertexRings(elbow.rig, elbow.joint, elbow.axis, elbow.zone);
  REQUIRE(!rings.empty());
  for (const CrossSection& ring : rings)
    CHECK(ring.points.size() >= 5);
  CHECK(smallestRadiusRatio(rings, elbow.rig.positions, elbow.rig.positions) == 1.0f);
  const auto none = vertexRings(elbow.rig, elbow.joint, elbow.axis, Zone{9.0f, 10.0f});
  CHECK(none.empty());
  CHECK(smallestRadiusRatio(none, elbow.rig.positions, elbow.rig.positions) == 1.0f);
}

TEST_CASE("slices of a twisted tube: thinner by the cosine of half the twist between rings") {
  // Two rings of many corners at x = 0 and 1, joined by straight edges along the tube alone.
  constexpr std::uint32_t kCorners = 64;
  Rig rig;
  std::vector<WeldedEdge> edges;
  for (std::uint32_t k = 0; k < kCorners; ++k) {
    const float angle = 6.2831853f * static_cast<float>(k) / kCorners;
    for (const float x : {0.0f, 1.0f})
      rig.positions.emplace_back(x, std::cos(angle), std::sin(angle));
    edges.emplace_back(2 * k, 2 * k + 1);
  }
  const BoneAxis axis{vec3(0), vec3(1, 0, 0), 1.0f, 1.0f};
  const auto slices = surfaceSlices(rig, edges, axis, Zone{-0.5f, 1.5f}, 61);
  CHECK(slices.size() == 31); // those between 0 and 1; the middle one at 0.5
  for (const CrossSection& slice : slices)
    CHECK(computeRadius(slice, rig.positions) == doctest::Approx(1.0).epsilon(1e-5));
  for (int degrees = 0; degrees <= 180; degrees += 30) {
    const float angle = glm::radians(static_cast<float>(degrees));
    std::vector<vec3> posed = rig.positions;
    for (std::size_t v = 1; v < posed.size(); v += 2)
      posed[v] = glm::angleAxis(angle, vec3(1, 0, 0)) * posed[v];
    CHECK(std::abs(smallestRadiusRatio(slices, rig.positions, posed) - std::cos(0.5f * angle)) <
          1e-5f);
  }
}

TEST_CASE("stretch: by the factor along the edges it is along") {
  const std::vector<vec3> rest = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}};
  const std::vector<Triangle> triangles = {{0, 1, 2}, {3, 0, 1}}; // 3 stands where 1 does
  const auto edges = listEdges(triangles, test::upTo(2), weldVertices(rest));
  REQUIRE(edges.size() == 3);
  std::vector<vec3> posed = rest;
  for (vec3& p : posed)
    p.x *= 3.0f;
  const Stretch stretch = measureStretch(edges, rest, posed);
  CHECK(stretch.largest == doctest::Approx(3.0f));
  CHECK(stretch.mean == doctest::Approx((3.0f + 1.0f + std::sqrt(5.0f)) / 3.0f));
  CHECK(measureStretch(edges, rest, rest).largest == 1.0f);
  CHECK(measureStretch({}, rest, posed).largest == 1.0f);
  // 1 and 3 are in one place: an edge between them has no length to be stretched.
  posed[3] = {7, 7, 7};
  const Stretch unchanged = measureStretch(std::vector<WeldedEdge>{{1, 3}, {0, 2}}, rest, posed);
  CHECK(unchanged.largest == 1.0f);
  CHECK(unchanged.mean == 1.0f);
}

TEST_CASE("flips: exactly the triangles that are turned over") {
  const Mesh ball = toMesh(ellipsoid(vec3(0), vec3(1), 12, 8), "ball");
  const std::vector<std::uint32_t> all = test::upTo(ball.triangles.size());
  CHECK(flippedFraction(ball.triangles, all, ball.positions, ball.positions) == 0.0f);
  std::vector<vec3> mirrored = ball.positions;
  for (vec3& p : mirrored)
    p *= -1.0f; // turns the winding of every triangle, and where it faces: outside is inside
  CHECK(flippedFraction(ball.triangles, all, ball.positions, mirrored) == 0.0f);
  const std::vector<vec3> flat = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  const std::vector<Triangle> square = {{0, 1, 2}, {1, 3, 2}};
  std::vector<vec3> folded = flat;
  folded[3] = {0.2f, 0.2f, 0}; // the second triangle is laid over the first
  CHECK(flippedFraction(square, test::upTo(2), flat, folded) == 0.5f);
  CHECK(flippedFraction(square, std::vector{0u}, flat, folded) == 0.0f);
  folded[3] = {0.5f, 0.5f, 0}; // without area
  CHECK(flippedFraction(square, test::upTo(2), flat, folded) == 0.0f);
  CHECK(flippedFraction(square, {}, flat, folded) == 0.0f);
}
