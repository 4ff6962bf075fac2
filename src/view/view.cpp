#include "view/view.h"

#include "view/overlay.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {

vec3 fieldColor(FieldColors colors, float value) {
  const float x = std::clamp(value, 0.0f, 1.0f);
  if (colors == FieldColors::colorBlindSafe) {
    const vec3 navy(0.04f, 0.11f, 0.38f), grey(0.50f, 0.50f, 0.52f), yellow(1.00f, 0.91f, 0.22f);
    return x < 0.5f ? glm::mix(navy, grey, 2.0f * x) : glm::mix(grey, yellow, 2.0f * x - 1.0f);
  }
  const vec3 grey(0.62f), yellow(0.98f, 0.85f, 0.16f), red(0.86f, 0.10f, 0.07f);
  return x < 0.5f ? glm::mix(grey, yellow, 2.0f * x) : glm::mix(yellow, red, 2.0f * x - 1.0f);
}

// Along the part that is linear in the normal.
vec3 mainDirection(const Irradiance& irradiance) {
  const auto& c = irradiance.coefficients;
  const vec3 all(1.0f);
  const vec3 sum(glm::dot(c[3], all), glm::dot(c[1], all), glm::dot(c[2], all));
  const float length = glm::length(sum);
  return length > 1e-3f * glm::dot(c[0], all) ? sum / length : vec3(0.0f, 1.0f, 0.0f);
}

float groundHeight(const Bounds& scene) {
  return scene.empty() || scene.min.y > -0.03f * scene.size() ? 0.0f : scene.min.y;
}

mat4 clipFromWorld(const View& view) {
  Bounds drawn = view.scene;
  if (view.show.grid) drawn.include(gridBounds(view.scene, groundHeight(view.scene)));
  return clipFromView(view.camera, view.viewport.aspect(), drawn) * viewFromWorld(view.camera);
}

vec3 screenFromWorld(const View& view, const vec3& world) {
  const vec4 clip = clipFromWorld(view) * vec4(world, 1.0f);
  const vec3 ndc = vec3(clip) / clip.w;
  return {0.5f * (ndc.x + 1.0f) * static_cast<float>(view.viewport.width),
          0.5f * (1.0f - ndc.y) * static_cast<float>(view.viewport.height), 0.5f * (ndc.z + 1.0f)};
}

} // namespace sinew
