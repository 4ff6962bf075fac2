#include "editor/pose/gizmo.h"

#include "core/directions.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

constexpr int kPieces = 96;      // segments of a ring when it is picked
constexpr float kEdgeOn = 0.17f; // cosine between line of sight and axis: a plane seen so is a line
constexpr std::array kGrips{Grip::x, Grip::y, Grip::z, Grip::screen};

float distanceToPiece(vec2 p, vec2 a, vec2 b) {
  const vec2 ab = b - a;
  const float length2 = glm::dot(ab, ab);
  const float t = length2 > 0.0f ? std::clamp(glm::dot(p - a, ab) / length2, 0.0f, 1.0f) : 0.0f;
  return glm::length(p - (a + t * ab));
}

// The distance from the mouse to the visible part of the ring, pixels.
float distanceToRing(const Gizmo& gizmo, Grip handle, const View& view, vec2 mouse) {
  float nearest = std::numeric_limits<float>::max();
  RingPoint a = ringPoint(gizmo, handle, view, 0.0f);
  for (int i = 1; i <= kPieces; ++i) {
    const RingPoint b = ringPoint(
        gizmo, handle, view, 2.0f * std::numbers::pi_v<float> * static_cast<float>(i) / kPieces);
    if (a.near && b.near)
      nearest = std::min(nearest, distanceToPiece(mouse, vec2(screenFromWorld(view, a.place)),
                                                  vec2(screenFromWorld(view, b.place))));
    a = b;
  }
  return nearest;
}

// Where the mouse is in the ring's plane, as an angle; nothing where the ray misses it.
std::optional<float> angleInPlane(const RingDrag& drag, const View& view, vec2 mouse) {
  const Ray ray = rayAt(view, mouse);
  const float towards = glm::dot(ray.direction, drag.axis);
  if (std::abs(towards) < 1e-4f) return std::nullopt;
  const float t = glm::dot(drag.gizmo.center - ray.origin, drag.axis) / towards;
  if (t <= 0.0f) return std::nullopt;
  const vec3 arm = ray.origin + t * ray.direction - drag.gizmo.center;
  const mat3 frame = frameAlong(drag.axis);
  return std::atan2(glm::dot(arm, frame[2]), glm::dot(arm, frame[1]));
}

// How the near side of a ring seen from its edge runs over the screen: radians per pixel.
vec2 alongEdge(const RingDrag& drag, const View& view) {
  const vec3 toEye = towardsEye(view.camera, drag.gizmo.center);
  const float radius = handleRadius(drag.gizmo, drag.handle);
  const vec3 front = drag.gizmo.center + radius * toEye;
  const vec3 tangent = glm::cross(drag.axis, toEye);
  const float small = 0.05f * radius;
  const vec2 step = vec2(screenFromWorld(view, front + small * tangent)) -
                    vec2(screenFromWorld(view, front - small * tangent));
  const float pixels = glm::length(step);
  if (!(pixels > 0.0f)) return vec2(0.0f);
  const float radians = 2.0f * small / radius;
  return step / pixels * (radians / pixels);
}

} // namespace

Ray rayAt(const View& view, vec2 pixel) {
  const vec2 size(static_cast<float>(view.viewport.width),
                  static_cast<float>(view.viewport.height));
  const vec2 ndc(2.0f * pixel.x / size.x - 1.0f, 1.0f - 2.0f * pixel.y / size.y);
  const Camera& camera = view.camera;
  const float half = 0.5f * shownHeight(camera, 1.0f);
  const vec3 inView(ndc.x * half * view.viewport.aspect(), ndc.y * half, -1.0f);
  const mat3 worldFromView = glm::transpose(mat3(viewFromWorld(camera)));
  const vec3 eye = eyePosition(camera);
  if (camera.projection == Projection::perspective)
    return {eye, glm::normalize(worldFromView * inView)};
  // The ray starts before all that is drawn, which may be behind the eye.
  const vec3 back = worldFromView[2];
  const float room = view.scene.empty() ? 0.0f : view.scene.size();
  const vec3 center = view.scene.empty() ? camera.target : view.scene.center();
  const float before = std::max(glm::dot(center - eye, back), 0.0f) + room;
  return {eye + worldFromView * vec3(inView.x, inView.y, before), -back};
}

float unitsPerPixel(const View& view, const vec3& place) {
  const float depth =
      std::max(-transformPoint(viewFromWorld(view.camera), place).z, 1e-3f * view.camera.distance);
  return shownHeight(view.camera, depth) / static_cast<float>(std::max(view.viewport.height, 1));
}

std::optional<float> nearestOnLine(const Ray& ray, const vec3& origin, const vec3& direction) {
  const float cosine = glm::dot(ray.direction, direction);
  const float sine2 = 1.0f - cosine * cosine;
  if (sine2 < 1e-4f) return std::nullopt;
  const vec3 between = origin - ray.origin;
  return (cosine * glm::dot(ray.direction, between) - glm::dot(direction, between)) / sine2;
}

float gizmoPixels(const Viewport& viewport, float usual) {
  constexpr float kShareOfView = 0.16f; // largest share of the view's smaller side
  return std::min(usual,
                  kShareOfView * static_cast<float>(std::min(viewport.width, viewport.height)));
}

Gizmo gizmoAt(const View& view, const vec3& center, const mat3& axes, float pixels) {
  return {center, axes, pixels * unitsPerPixel(view, center)};
}

vec3 handleAxis(const Gizmo& gizmo, Grip handle, const View& view) {
  if (handle == Grip::screen) return towardsEye(view.camera, gizmo.center);
  return gizmo.axes[static_cast<int>(handle)];
}

float handleRadius(const Gizmo& gizmo, Grip handle) {
  return handle == Grip::screen ? kScreenRing * gizmo.radius : gizmo.radius;
}

RingPoint ringPoint(const Gizmo& gizmo, Grip handle, const View& view, float angle) {
  const vec3 axis = handleAxis(gizmo, handle, view);
  const mat3 frame = frameAlong(axis);
  const vec3 arm = std::cos(angle) * frame[1] + std::sin(angle) * frame[2];
  const vec3 toEye = towardsEye(view.camera, gizmo.center);
  // A ring that faces the eye is near all around.
  const bool near = handle == Grip::screen || std::abs(glm::dot(axis, toEye)) > 0.98f ||
                    glm::dot(arm, toEye) > -0.02f;
  return {gizmo.center + handleRadius(gizmo, handle) * arm, near};
}

std::optional<Grip> pickRing(const Gizmo& gizmo, const View& view, vec2 mouse, float reach) {
  std::optional<Grip> best;
  for (const Grip handle : kGrips) {
    const float distance = distanceToRing(gizmo, handle, view, mouse);
    if (distance > reach) continue;
    reach = distance;
    best = handle;
  }
  return best;
}

std::optional<Grip> pickArrow(const Gizmo& gizmo, const View& view, vec2 mouse, float reach) {
  // All arrows begin in the middle, which is the handle that moves in the screen's plane.
  const vec2 center(screenFromWorld(view, gizmo.center));
  if (glm::length(mouse - center) <= reach) return Grip::screen;
  std::optional<Grip> best;
  for (const Grip handle : {Grip::x, Grip::y, Grip::z}) {
    const float length = (1.0f + kArrowHead) * gizmo.radius;
    const vec3 tip = gizmo.center + length * handleAxis(gizmo, handle, view);
    const float distance = distanceToPiece(mouse, center, vec2(screenFromWorld(view, tip)));
    if (distance > reach) continue;
    reach = distance;
    best = handle;
  }
  return best;
}

RingDrag startRingDrag(const Gizmo& gizmo, Grip handle, const View& view, vec2 mouse) {
  RingDrag drag;
  drag.gizmo = gizmo;
  drag.handle = handle;
  drag.axis = handleAxis(gizmo, handle, view);
  drag.last = mouse;
  drag.edgeOn = std::abs(glm::dot(drag.axis, towardsEye(view.camera, gizmo.center))) < kEdgeOn;
  drag.along = alongEdge(drag, view);
  if (!drag.edgeOn) drag.from = angleInPlane(drag, view, mouse).value_or(0.0f);
  return drag;
}

void dragRing(RingDrag& drag, const View& view, vec2 mouse) {
  if (drag.edgeOn) {
    drag.angle += glm::dot(drag.along, mouse - drag.last);
  } else {
    const auto before = angleInPlane(drag, view, drag.last);
    const auto now = angleInPlane(drag, view, mouse);
    if (before && now)
      drag.angle += std::remainder(*now - *before, 2.0f * std::numbers::pi_v<float>);
  }
  drag.last = mouse;
}

namespace {

// The point under the mouse, on the arrow's line or on the screen's plane through the gizmo.
vec3 held(const ArrowDrag& drag, const View& view, vec2 mouse) {
  const Ray ray = rayAt(view, mouse);
  if (drag.handle != Grip::screen) {
    const auto along = nearestOnLine(ray, drag.gizmo.center, drag.axis);
    return drag.gizmo.center + along.value_or(0.0f) * drag.axis;
  }
  const float towards = glm::dot(ray.direction, drag.axis);
  const float t = glm::dot(drag.gizmo.center - ray.origin, drag.axis) / towards;
  return ray.origin + t * ray.direction;
}

} // namespace

ArrowDrag startArrowDrag(const Gizmo& gizmo, Grip handle, const View& view, vec2 mouse) {
  ArrowDrag drag{gizmo, handle, handleAxis(gizmo, handle, view), {}, vec3(0.0f)};
  drag.start = held(drag, view, mouse);
  return drag;
}

void dragArrow(ArrowDrag& drag, const View& view, vec2 mouse) {
  drag.moved = held(drag, view, mouse) - drag.start;
}

float snapped(float value, float step) {
  return step * std::round(value / step);
}

} // namespace sinew
