#include "light/surroundings.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace sinew {
namespace {

using std::numbers::pi;

using Basis = std::array<double, 9>;

// The polynomials of spherical harmonics up to order 2, in the order of Irradiance::coefficients.
Basis basisAt(const glm::dvec3& n) {
  return {1.0,
          n.y,
          n.z,
          n.x,
          n.x * n.y,
          n.y * n.z,
          3.0 * n.z * n.z - 1.0,
          n.x * n.z,
          n.x * n.x - n.y * n.y};
}

// The squares of their constants (eq. 3), times what the clamped cosine makes of each order (eq. 8)
// over pi: 1, 2/3 and 1/4.
constexpr Basis kFactors{1.0 / (4.0 * pi),  1.0 / (2.0 * pi),   1.0 / (2.0 * pi),
                         1.0 / (2.0 * pi),  15.0 / (16.0 * pi), 15.0 / (16.0 * pi),
                         5.0 / (64.0 * pi), 15.0 / (16.0 * pi), 15.0 / (64.0 * pi)};

double usable(float radiance) {
  return std::isfinite(radiance) && radiance > 0.0f ? static_cast<double>(radiance) : 0.0;
}

// Radians upwards of the edge above a row; rows are counted from the top.
double elevation(const Panorama& picture, double row) {
  return pi * (0.5 - row / static_cast<double>(picture.height));
}

glm::dvec3 preciseDirection(const Panorama& picture, std::size_t column, std::size_t row) {
  const double right =
      2.0 * pi * ((static_cast<double>(column) + 0.5) / static_cast<double>(picture.width) - 0.5);
  const double up = elevation(picture, static_cast<double>(row) + 0.5);
  return {-std::sin(right) * std::cos(up), std::sin(up), std::cos(right) * std::cos(up)};
}

} // namespace

vec3 computeDirection(const Panorama& picture, std::size_t column, std::size_t row) {
  return vec3(preciseDirection(picture, column, row));
}

Irradiance computeIrradiance(const Panorama& picture) {
  std::array<glm::dvec3, 9> sums{};
  const float* pixel = picture.rgb.data();
  for (std::size_t row = 0; row < picture.height; ++row) {
    const auto top = static_cast<double>(row);
    const double solidAngle =
        2.0 * pi / static_cast<double>(picture.width) *
        (std::sin(elevation(picture, top)) - std::sin(elevation(picture, top + 1.0)));
    for (std::size_t column = 0; column < picture.width; ++column, pixel += 3) {
      const glm::dvec3 radiance(usable(pixel[0]), usable(pixel[1]), usable(pixel[2]));
      const Basis basis = basisAt(preciseDirection(picture, column, row));
      for (std::size_t i = 0; i < basis.size(); ++i)
        sums[i] += solidAngle * basis[i] * radiance;
    }
  }
  Irradiance out;
  for (std::size_t i = 0; i < sums.size(); ++i)
    out.coefficients[i] = vec3(kFactors[i] * sums[i]);
  return out;
}

vec3 irradianceAt(const Irradiance& irradiance, const vec3& normal) {
  const Basis basis = basisAt(glm::dvec3(normal));
  vec3 sum(0.0f);
  for (std::size_t i = 0; i < basis.size(); ++i)
    sum += static_cast<float>(basis[i]) * irradiance.coefficients[i];
  return sum;
}

float meanLuminance(const Irradiance& irradiance) {
  return glm::dot(irradiance.coefficients[0], vec3(0.2126f, 0.7152f, 0.0722f));
}

namespace {

// sharpness: the soft light is seen under about 0.9 / sqrt(sharpness) radians to each side.
SoftLight softLightAt(const vec3& towards, float sharpness, const vec3& radiance) {
  return {glm::normalize(towards), sharpness, radiance};
}

vec3 room(const vec3& direction) {
  const vec3 ceiling(0.36f, 0.375f, 0.40f);
  const vec3 walls(0.19f, 0.195f, 0.205f);
  const vec3 ground(0.115f, 0.11f, 0.105f);
  const float up = direction.y;
  return up > 0.0f ? glm::mix(walls, ceiling, std::pow(up, 0.7f))
                   : glm::mix(walls, ground, std::pow(-up, 0.5f));
}

Irradiance irradianceIn(const Studio& studio) {
  constexpr std::size_t kWidth = 64;
  constexpr std::size_t kHeight = 32;
  std::vector<float> pixels;
  pixels.reserve(3 * kWidth * kHeight);
  const Panorama panorama{kWidth, kHeight, {}};
  for (std::size_t row = 0; row < kHeight; ++row)
    for (std::size_t column = 0; column < kWidth; ++column) {
      const vec3 direction = computeDirection(panorama, column, row);
      vec3 radiance = room(direction);
      for (const SoftLight& soft : studio.softLights)
        radiance +=
            std::exp(soft.sharpness * (glm::dot(direction, soft.towards) - 1.0f)) * soft.radiance;
      pixels.insert(pixels.end(), {radiance.x, radiance.y, radiance.z});
    }
  return computeIrradiance({kWidth, kHeight, pixels});
}

Studio makeStudio() {
  Studio out;
  out.key = vec3(0.86f, 0.835f, 0.79f);
  out.keySharpness = 28.0f;
  out.softLights = {softLightAt({0.95f, 0.25f, 0.35f}, 14.0f, vec3(0.75f, 0.82f, 0.95f)),
                    softLightAt({0.35f, 0.55f, -0.9f}, 20.0f, vec3(2.6f, 2.55f, 2.45f))};
  out.around = irradianceIn(out);
  return out;
}

} // namespace

const Studio& studio() {
  static const Studio made = makeStudio();
  return made;
}

Studio fitStudio(const Irradiance& picture) {
  Studio out;
  out.around = picture;
  const vec3 main = mainDirection(picture);
  constexpr float kSharpness = 20.0f;
  out.softLights[0] = softLightAt(main, kSharpness, 2.0f * irradianceAt(picture, main));
  return out;
}

} // namespace sinew
