#include "light/studio.h"

#include "light/irradiance.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <cmath>
#include <vector>

namespace sinew {
namespace {

// sharpness: of a soft light that is seen under about 0.9 / sqrt(sharpness) radians to each side.
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
