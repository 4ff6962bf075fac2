#include "animation/random_model.h"
#include "core/test_support.h"
#include "core/transform.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

using namespace sinew;

TEST_CASE("decompose inverts toMatrix, mirrored or squashed") {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Transform t;
    t.rotation = randomRotation(random);
    t.translation = {random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-9, 9)};
    for (int i = 0; i < 3; ++i)
      t.scale[i] = random.uniform(0.01f, 3.0f);
    if (seed % 3 == 0) t.scale[static_cast<int>(seed % 9 / 3)] *= -1.0f;
    if (seed % 5 == 0) t.scale[static_cast<int>(seed % 15 / 5)] = 0.0f;
    const mat4 m = toMatrix(t);
    const Transform back = decompose(m);
    REQUIRE(isFinite(back));
    CHECK(std::abs(glm::length(back.rotation) - 1.0f) < 1e-5f);
    CHECK(test::largestDifference(toMatrix(back), m) < 1e-4f);
  }
}

TEST_CASE("slerp meets its ends, keeps length and takes the short way") {
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    const quat a = randomRotation(random);
    const quat b = randomRotation(random);
    CHECK(std::abs(glm::dot(slerpShortest(a, b, 0.0f), a)) > 0.99999f);
    CHECK(std::abs(glm::dot(slerpShortest(a, b, 1.0f), b)) > 0.99999f);
    const quat half = slerpShortest(a, b, 0.5f);
    CHECK(glm::length(half) == doctest::Approx(1.0f).epsilon(1e-5));
    CHECK(std::abs(glm::dot(half, a)) ==
          doctest::Approx(std::abs(glm::dot(half, b))).epsilon(1e-4));
    CHECK(std::abs(glm::dot(half, a)) >= std::abs(glm::dot(a, b)) - 1e-5f);
  }
}
