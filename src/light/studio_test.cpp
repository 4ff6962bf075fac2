#include "light/irradiance.h"
#include "light/studio.h"

#include <doctest/doctest.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Of all soft lights alone, over pi, by a sum over directions.
vec3 softLightIrradiance(const Studio& studio, const vec3& normal) {
  constexpr std::size_t kHeight = 64;
  const Panorama directions{2 * kHeight, kHeight, {}};
  vec3 sum(0.0f);
  for (std::size_t row = 0; row < kHeight; ++row)
    for (std::size_t column = 0; column < 2 * kHeight; ++column) {
      const vec3 d = computeDirection(directions, column, row);
      const float area = std::sqrt(1.0f - d.y * d.y) / static_cast<float>(kHeight * kHeight);
      for (const SoftLight& soft : studio.softLights)
        sum += 3.1415927f * area * std::max(glm::dot(d, normal), 0.0f) *
               std::exp(soft.sharpness * (glm::dot(d, soft.towards) - 1.0f)) * soft.radiance;
    }
  return sum;
}

} // namespace

TEST_CASE("the studio's irradiance has its soft lights in it") {
  const Studio& made = studio();
  for (const SoftLight& soft : made.softLights) {
    const vec3 here = irradianceAt(made.around, soft.towards);
    const vec3 softLights = softLightIrradiance(made, soft.towards);
    CHECK(softLights.x > 0.05f);
    CHECK(here.x > softLights.x);         // the room adds its own
    CHECK(here.x < softLights.x + 0.45f); // which is no brighter than its ceiling
  }
}

TEST_CASE(
    "a picture's studio has no key light, and its soft light where the picture is brightest") {
  Irradiance picture;
  picture.coefficients[0] = vec3(0.5f);
  picture.coefficients[3] = vec3(0.3f); // more from +x
  const Studio made = fitStudio(picture);
  CHECK(made.key == vec3(0.0f));
  CHECK(made.softLights[0].towards.x == doctest::Approx(1.0f));
  CHECK(made.softLights[1].radiance == vec3(0.0f));
  CHECK(made.around.coefficients == picture.coefficients);
}

} // namespace sinew
