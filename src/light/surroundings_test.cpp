#include "core/random.h"
#include "light/surroundings.h"

#include <doctest/doctest.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

namespace sinew {
namespace {

struct Painted {
  std::vector<float> rgb;
  Panorama picture;

  Painted(std::size_t width, std::size_t height, const std::function<vec3(const vec3&)>& radiance)
      : rgb(3 * width * height), picture{width, height, rgb} {
    for (std::size_t i = 0; i < width * height; ++i) {
      const vec3 color = radiance(computeDirection(picture, i % width, i / width));
      std::copy_n(&color.x, 3, &rgb[3 * i]);
    }
  }
};

vec3 randomNormal(Random& random) {
  for (;;) {
    const vec3 v(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    if (const float length = glm::length(v); length > 0.1f && length <= 1.0f) return v / length;
  }
}

float apart(const vec3& a, const vec3& b) {
  const vec3 off = glm::abs(a - b);
  return std::max({off.x, off.y, off.z});
}

} // namespace

TEST_CASE("irradiance: the middle of the picture is in front, its right edge goes on at the left") {
  const Panorama picture{400, 200, {}};
  CHECK(glm::distance(computeDirection(picture, 200, 100), vec3(0, 0, 1)) < 0.02f);
  CHECK(glm::distance(computeDirection(picture, 300, 100), vec3(-1, 0, 0)) < 0.02f);
  CHECK(glm::distance(computeDirection(picture, 100, 100), vec3(1, 0, 0)) < 0.02f);
  CHECK(glm::distance(computeDirection(picture, 399, 100), computeDirection(picture, 0, 100)) <
        0.02f);
  CHECK(computeDirection(picture, 7, 0).y > 0.999f);
}

TEST_CASE("irradiance: light from everywhere alike arrives alike, whatever the normal") {
  const vec3 radiance(0.25f, 1.0f, 7.0f);
  const Painted all(128, 64, [&](const vec3&) { return radiance; });
  const Irradiance light = computeIrradiance(all.picture);
  Random random(1);
  for (int i = 0; i < 100; ++i)
    CHECK(apart(irradianceAt(light, randomNormal(random)), radiance) < 2e-3f * 7.0f);
  CHECK(meanLuminance(light) == doctest::Approx(0.2126 * 0.25 + 0.7152 + 0.0722 * 7).epsilon(1e-4));
  CHECK(mainDirection(light).y == 1.0f);
}

TEST_CASE("irradiance: one bright pixel gives the clamped cosine within what order 2 leaves") {
  Random random(2);
  constexpr std::size_t kWidth = 96, kHeight = 48;
  for (int trial = 0; trial < 20; ++trial) {
    const std::size_t column = random.below(kWidth), row = random.below(kHeight);
    std::vector<float> rgb(3 * kWidth * kHeight, 0.0f);
    const Panorama picture{kWidth, kHeight, rgb};
    rgb[3 * (row * kWidth + column)] = 1.0f; // red
    const vec3 towards = computeDirection(picture, column, row);
    const Irradiance light = computeIrradiance(picture);
    const float flux =
        4.0f * std::numbers::pi_v<float> * light.coefficients[0].x; // radiance times solid angle
    const double angle = (std::cos(std::numbers::pi * static_cast<double>(row) / kHeight) -
                          std::cos(std::numbers::pi * (static_cast<double>(row) + 1.0) / kHeight)) *
                         2.0 * std::numbers::pi / kWidth;
    CHECK(flux == doctest::Approx(angle).epsilon(1e-4));
    CHECK(glm::distance(mainDirection(light), towards) < 1e-3f);
    for (int i = 0; i < 50; ++i) {
      const vec3 normal = randomNormal(random);
      const float cosine = glm::dot(normal, towards);
      const float shown = std::numbers::pi_v<float> * irradianceAt(light, normal).x / flux;
      // 1/4 + 1/2 cos + 5/32 (3 cos^2 - 1), whose largest error is 3/32, at a right angle.
      CHECK(shown ==
            doctest::Approx(0.25 + 0.5 * cosine + 5.0 / 32.0 * (3.0 * cosine * cosine - 1.0))
                .epsilon(1e-3));
      CHECK(std::abs(shown - std::max(cosine, 0.0f)) < 3.0f / 32.0f + 1e-3f);
      CHECK(irradianceAt(light, normal).y == 0.0f);
    }
  }
}

TEST_CASE("irradiance: a picture that is rotated gives light that is rotated") {
  Random random(3);
  for (int trial = 0; trial < 5; ++trial) {
    const vec3 a = randomNormal(random), b = randomNormal(random);
    const auto radiance = [&](const vec3& d) {
      return vec3(std::exp(4.0f * (glm::dot(d, a) - 1.0f)), 1.0f + glm::dot(d, b),
                  glm::dot(d, a) * glm::dot(d, a));
    };
    const quat rotation = glm::angleAxis(random.uniform(-3, 3), randomNormal(random));
    const Painted before(192, 96, radiance);
    const Painted after(192, 96,
                        [&](const vec3& d) { return radiance(glm::conjugate(rotation) * d); });
    const Irradiance light = computeIrradiance(before.picture);
    const Irradiance rotated = computeIrradiance(after.picture);
    for (int i = 0; i < 30; ++i) {
      const vec3 normal = randomNormal(random);
      CHECK(apart(irradianceAt(rotated, rotation * normal), irradianceAt(light, normal)) < 2e-3f);
    }
  }
}

TEST_CASE("irradiance: what is not finite in a picture is not light") {
  std::vector<float> rgb(std::size_t{3} * 32 * 16, 1.0f);
  rgb[30] = std::nanf("");
  rgb[64] = INFINITY;
  rgb[99] = -5.0f;
  const Irradiance light = computeIrradiance({32, 16, rgb});
  for (const vec3& c : light.coefficients)
    CHECK(std::isfinite(c.x + c.y + c.z));
  CHECK(light.coefficients[0].x == doctest::Approx(1.0).epsilon(0.01));
}

namespace {

// The irradiance of all soft lights alone, over pi, by a sum over directions.
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
