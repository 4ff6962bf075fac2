#include "animation/random_model.h"
#include "core/dual_quaternion.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

using namespace sinew;

namespace {

vec3 randomPoint(Random& random) {
  return {random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)};
}

} // namespace

TEST_CASE("dual quaternions move points as rotation and translation do, one after another too") {
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    const quat r1 = randomRotation(random);
    const quat r2 = randomRotation(random);
    const vec3 t1 = randomPoint(random);
    const vec3 t2 = randomPoint(random);
    const vec3 p = randomPoint(random);
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
    const DualQuaternion a = dualQuaternion(randomRotation(random), randomPoint(random));
    DualQuaternion b = dualQuaternion(randomRotation(random), randomPoint(random));
    if (glm::dot(a.real, b.real) < 0.0f) b = {-b.real, -b.dual};
    const DualQuaternion mean = normalize({a.real + b.real, a.dual + b.dual});
    CHECK(std::abs(glm::length(mean.real) - 1.0f) < 1e-6f);
    CHECK(std::abs(glm::dot(mean.real, mean.dual)) < 1e-5f);
    const vec3 p = randomPoint(random);
    const vec3 q = randomPoint(random);
    CHECK(glm::length(transformPoint(mean, p) - transformPoint(mean, q)) ==
          doctest::Approx(glm::length(p - q)).epsilon(1e-5));
  }
}
