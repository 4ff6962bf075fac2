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

TEST_CASE("dual quaternions move points as rotation and translation do, one after another too") {
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    const quat r1 = randomRotation(random);
    const quat r2 = randomRotation(random);
    const vec3 t1 = test::randomPoint(random, 2.0f);
    const vec3 t2 = test::randomPoint(random, 2.0f);
    const vec3 p = test::randomPoint(random, 2.0f);
    const DualQuaternion a = dualQuaternion(r1, t1);
    const DualQuaternion b = dualQuaternion(r2, t2);
    CHECK(glm::length(getTranslation(a) - t1) < 2e-6f);
    CHECK(glm::length(transformPoint(a, p) - (r1 * p + t1)) < 3e-6f);
    CHECK(glm::length(transformPoint(a * b, p) - (r1 * (r2 * p + t2) + t1)) < 5e-6f);
  }
}

TEST_CASE("normalize makes a rigid motion of a sum") {
  Random random(8);
  for (int i = 0; i < 100; ++i) {
    const DualQuaternion a =
        dualQuaternion(randomRotation(random), test::randomPoint(random, 2.0f));
    DualQuaternion b = dualQuaternion(randomRotation(random), test::randomPoint(random, 2.0f));
    if (glm::dot(a.real, b.real) < 0.0f) b = {-b.real, -b.dual};
    const DualQuaternion mean = normalize({a.real + b.real, a.dual + b.dual});
    CHECK(std::abs(glm::length(mean.real) - 1.0f) < 1e-6f);
    CHECK(std::abs(glm::dot(mean.real, mean.dual)) < 1e-5f);
    const vec3 p = test::randomPoint(random, 2.0f);
    const vec3 q = test::randomPoint(random, 2.0f);
    CHECK(glm::length(transformPoint(mean, p) - transformPoint(mean, q)) ==
          doctest::Approx(glm::length(p - q)).epsilon(1e-5));
  }
}
