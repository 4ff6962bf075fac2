#include "render/view.h"

#include "render/overlay.h"

namespace sinew {

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
