#include "animation/random_model.h"
#include "core/directions.h"
#include "core/random.h"

#include <doctest/doctest.h>
#include <glm/matrix.hpp>

using namespace sinew;

TEST_CASE("a frame along a direction is a rotation that keeps the direction") {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const vec3 direction = i < 3 ? vec3(i == 0, i == 1, i == 2) : randomDirection(random);
    const mat3 frame = frameAlong(direction);
    CHECK(frame[0] == direction);
    CHECK(frame[1] == perpendicular(direction));
    CHECK(glm::determinant(frame) == doctest::Approx(1.0f));
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        CHECK(std::abs(glm::dot(frame[a], frame[b]) - (a == b ? 1.0f : 0.0f)) < 1e-6f);
  }
}
