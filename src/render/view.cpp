#include "render/view.h"

namespace sinew {

mat4 clipFromWorld(const View& view) {
  return clipFromView(view.camera, view.viewport.aspect(), view.scene) * viewFromWorld(view.camera);
}

vec3 screenFromWorld(const View& view, const vec3& world) {
  const vec4 clip = clipFromWorld(view) * vec4(world, 1.0f);
  const vec3 ndc = vec3(clip) / clip.w;
  return {0.5f * (ndc.x + 1.0f) * static_cast<float>(view.viewport.width),
          0.5f * (1.0f - ndc.y) * static_cast<float>(view.viewport.height), 0.5f * (ndc.z + 1.0f)};
}

} // namespace sinew
