#include "editor/document/orbit.h"

#include "app/settings_view.h"

#include <glm/gtc/matrix_access.hpp>

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

} // namespace sinew
