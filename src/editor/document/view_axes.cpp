#include "editor/document/view_axes.h"

#include "view/camera.h"

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {

std::array<AxisEnd, 6> axisEnds(float yaw, float pitch) {
  Camera camera;
  camera.yaw = glm::radians(yaw);
  camera.pitch = glm::radians(pitch);
  const mat3 viewFromAxes(viewFromWorld(camera));
  std::array<AxisEnd, 6> ends;
  for (int i = 0; i < 6; ++i) {
    const bool positive = i < 3;
    const vec3 seen = (positive ? 1.0f : -1.0f) * viewFromAxes[i % 3];
    ends[static_cast<std::size_t>(i)] = {i % 3, positive, {seen.x, -seen.y}, seen.z};
  }
  std::ranges::stable_sort(ends, {}, &AxisEnd::depth);
  return ends;
}

std::optional<AxisEnd> axisEndAt(std::span<const AxisEnd> ends, const vec2& place, float reach) {
  std::optional<AxisEnd> best;
  for (const AxisEnd& end : ends)
    if (glm::distance(end.at, place) <= reach && (!best || end.depth >= best->depth)) best = end;
  return best;
}

void lookFrom(Settings& settings, const AxisEnd& end) {
  constexpr float kSteepest = 89.0f; // straight up or down has no yaw
  const auto look = [&](bool positive) {
    if (end.axis == 1) return vec2(settings.yaw, positive ? kSteepest : -kSteepest);
    if (end.axis == 0) return vec2(positive ? 90.0f : -90.0f, 0.0f);
    return vec2(positive ? 0.0f : 180.0f, 0.0f);
  };
  vec2 to = look(end.positive);
  const float off = std::abs(std::remainder(to.x - settings.yaw, 360.0f));
  if (off < 0.01f && std::abs(to.y - settings.pitch) < 0.01f) to = look(!end.positive);
  settings.yaw = to.x;
  settings.pitch = to.y;
}

} // namespace sinew
