#include "editor/document/orbit.h"

#include "app/settings_view.h"
#include "view/camera.h"

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_access.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr float kDegreesPerHeight = 220.0f; // a drag over the whole height of the view
constexpr float kMaxPitch = 89.0f;
constexpr float kZoomStep = 1.15f;
constexpr float kNearest = 0.02f;
constexpr float kFarthest = 50.0f;

} // namespace

Camera makeCamera(const Settings& settings, const Orbit& orbit, float aspect) {
  Camera camera = makeCamera(settings, orbit.framed, aspect);
  camera.target += orbit.pan;
  return camera;
}

void orbitBy(Settings& settings, float dx, float dy) {
  // remainder keeps yaw within half a turn, inside the option's range however long one drags.
  settings.yaw = std::remainder(settings.yaw - dx * kDegreesPerHeight, 360.0f);
  settings.pitch = std::clamp(settings.pitch + dy * kDegreesPerHeight, -kMaxPitch, kMaxPitch);
}

void panBy(Orbit& orbit, const Camera& camera, float dx, float dy) {
  const mat4 view = viewFromWorld(camera);
  const vec3 right(glm::row(view, 0));
  const vec3 up(glm::row(view, 1));
  // The plane through the target is that high in the view, so it follows the mouse exactly.
  const float height = shownHeight(camera, camera.distance);
  orbit.pan += height * (dy * up - dx * right);
}

void zoomBy(Settings& settings, float steps) {
  settings.distance =
      std::clamp(settings.distance * std::pow(kZoomStep, -steps), kNearest, kFarthest);
}

void zoomTo(Settings& settings, Orbit& orbit, float aspect, float dx, float dy, float steps) {
  const Camera camera = makeCamera(settings, orbit, aspect);
  const float before = settings.distance;
  zoomBy(settings, steps);
  const float approached = 1.0f - settings.distance / before;
  panBy(orbit, camera, -approached * dx, -approached * dy);
}

void setProjection(Settings& settings, const Orbit& orbit, float aspect, Projection projection) {
  const float before = makeCamera(settings, orbit, aspect).distance;
  settings.projection = projection;
  const float after = makeCamera(settings, orbit, aspect).distance;
  settings.distance = std::clamp(settings.distance * before / after, kNearest, kFarthest);
}

void frame(Settings& settings, Orbit& orbit, const Outline& outline) {
  orbit.framed = outline;
  orbit.pan = vec3(0.0f);
  orbit.joint.reset();
  settings.distance = 1.0f;
}

void followAgain(Orbit& orbit, const Hierarchy& hierarchy) {
  if (!orbit.joint) return;
  const auto same = std::ranges::find(hierarchy.nodes, orbit.joint->name, &Node::name);
  if (same == hierarchy.nodes.end()) return orbit.joint.reset();
  orbit.joint->node = static_cast<std::uint32_t>(same - hierarchy.nodes.begin());
}

void closeUp(Settings& settings, Orbit& orbit, const vec3& center, float radius) {
  orbit.pan = center - orbit.framed.center();
  orbit.joint.reset();
  // Distance 1 shows the outline, and the sphere around its box from farther away.
  const float all = 0.5f * orbit.framed.size();
  const float nearer = makeCamera(settings, Bounds(orbit.framed), 1.0f).distance /
                       makeCamera(settings, orbit.framed, 1.0f).distance;
  settings.distance = all > 0.0f ? std::clamp(nearer * radius / all, kNearest, kFarthest) : 1.0f;
}

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
