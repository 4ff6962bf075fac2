#include "core/random.h"
#include "rig/blend_curve.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using glm::vec2;

namespace {

BlendCurve randomCurve(Random& random) {
  BlendCurve curve{BlendCurve::Kind::drawn};
  std::vector<float> fractions, factors;
  const std::uint32_t count = random.below(6);
  for (std::uint32_t i = 0; i < count; ++i) {
    fractions.push_back(random.uniform(0.02f, 0.98f));
    factors.push_back(std::clamp(random.uniform(-0.2f, 1.2f), 0.0f, 1.0f)); // some are level
  }
  std::ranges::sort(fractions);
  std::ranges::sort(factors);
  for (std::uint32_t i = 0; i < count; ++i)
    if (i == 0 || fractions[i] > curve.points.back().x + 0.01f)
      curve.points.emplace_back(fractions[i], factors[i]);
  return curve;
}

} // namespace

TEST_CASE("blend curves: from 0 to 1, never falling, through their points") {
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    BlendCurve curve = randomCurve(random);
    if (i < 2) curve = {i == 0 ? BlendCurve::Kind::linear : BlendCurve::Kind::smooth};
    CAPTURE(i);
    REQUIRE(findProblem(curve.points).empty());
    CHECK(blendAt(curve, 0.0f) == 0.0f);
    CHECK(blendAt(curve, 1.0f) == 1.0f);
    CHECK(blendAt(curve, -5.0f) == 0.0f);
    CHECK(blendAt(curve, 5.0f) == 1.0f);
    for (const vec2& point : curve.points)
      CHECK(blendAt(curve, point.x) == doctest::Approx(point.y).epsilon(1e-6));
    float before = 0.0f;
    for (int k = 1; k <= 400; ++k) {
      const float now = blendAt(curve, static_cast<float>(k) / 400.0f);
      CHECK(now >= before - 1e-6f);
      before = now;
    }
  }
}

TEST_CASE("blend curves: the slope is the derivative, and continuous") {
  Random random(4);
  constexpr float kStep = 1.0f / 512.0f;
  for (int i = 0; i < 100; ++i) {
    BlendCurve curve = randomCurve(random);
    if (i == 0) curve = {BlendCurve::Kind::smooth};
    CAPTURE(i);
    for (int k = 1; k < 64; ++k) {
      const float fraction = static_cast<float>(k) / 64.0f + 0.003f;
      const float least = 0.5f * kStep;
      const bool atPoint = std::ranges::any_of(
          curve.points, [&](const vec2& p) { return std::abs(p.x - fraction) < kStep; });
      if (atPoint) continue; // the second derivative jumps
      const double rise = static_cast<double>(blendAt(curve, fraction + least)) -
                          static_cast<double>(blendAt(curve, fraction - least));
      CHECK(rise / static_cast<double>(kStep) ==
            doctest::Approx(blendSlope(curve, fraction)).epsilon(0.02).scale(1.0));
    }
    for (const vec2& point : curve.points) {
      const float left = blendSlope(curve, std::nextafter(point.x, 0.0f));
      const float right = blendSlope(curve, point.x);
      CHECK(left == doctest::Approx(right).epsilon(0.01).scale(1.0));
    }
  }
  const BlendCurve smooth{BlendCurve::Kind::smooth};
  CHECK(blendSlope(smooth, 0.0f) == 0.0f); // as outside the zone, where nothing blends
  CHECK(blendSlope(smooth, 1.0f) == 0.0f);
}

TEST_CASE("blend curves: points that are no curve are told apart") {
  CHECK(findProblem(std::vector<vec2>{}).empty());
  CHECK(findProblem(std::vector<vec2>{{0.5f, 0.0f}, {0.75f, 0.0f}}).empty());
  for (const std::vector<vec2>& points :
       std::vector<std::vector<vec2>>{{{0.0f, 0.0f}},
                                      {{1.0f, 0.5f}},
                                      {{0.5f, 0.2f}, {0.5f, 0.3f}},
                                      {{0.5f, 0.4f}, {0.6f, 0.3f}},
                                      {{0.5f, 1.5f}},
                                      {{0.5f, -0.5f}},
                                      {{std::nanf(""), 0.5f}},
                                      {{0.5f, std::nanf("")}}})
    CHECK_FALSE(findProblem(points).empty());
}
