#include "editor/pose/gizmo.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <cmath>
#include <numbers>

namespace sinew {
namespace {

View viewFrom(float yaw, float pitch) {
  View view;
  view.viewport = {0, 0, 800, 600};
  view.scene = {vec3(-1), vec3(1)};
  view.camera = frameOutline(view.scene, view.viewport.aspect(), yaw, pitch);
  return view;
}

vec2 toPixel(const View& view, const vec3& place) {
  return vec2(screenFromWorld(view, place));
}

const vec3 kCenter(0.2f, -0.1f, 0.3f);

} // namespace

TEST_CASE("gizmo: a ray through a pixel passes through what is drawn there") {
  for (const float yaw : {-2.0f, 0.0f, 0.9f}) {
    View view = viewFrom(yaw, 0.4f);
    for (const Projection projection : {Projection::perspective, Projection::orthographic})
      for (const vec3 p : {vec3(0), vec3(0.7f, -0.3f, 0.2f), vec3(-0.9f, 0.9f, -0.9f)}) {
        view.camera.projection = projection;
        const Ray ray = rayAt(view, toPixel(view, p));
        CHECK(glm::length(glm::cross(p - ray.origin, ray.direction)) < 1e-4f);
        CHECK(glm::dot(p - ray.origin, ray.direction) > 0.0f); // before the point
      }
  }
}

TEST_CASE("gizmo: as large on screen from near and far") {
  for (const float distance : {0.5f, 1.0f, 4.0f, 0.3f, 3.0f}) {
    View view = viewFrom(0.3f, 0.2f);
    if (distance == 0.3f || distance == 3.0f) view.camera.projection = Projection::orthographic;
    view.camera.distance *= distance;
    view.camera.target = kCenter;
    const Gizmo gizmo = gizmoAt(view, kCenter, mat3(1.0f), 90.0f);
    const vec3 right = glm::transpose(mat3(viewFromWorld(view.camera)))[0];
    const vec2 edge = toPixel(view, kCenter + gizmo.radius * right);
    CHECK(glm::length(edge - toPixel(view, kCenter)) == doctest::Approx(90.0f).epsilon(0.01));
  }
}

TEST_CASE("gizmo: smaller in small views, whose middle third it stays within") {
  for (const int height : {60, 200, 500, 2000}) {
    const float radius = gizmoPixels({0, 0, 2 * height, height}, 84.0f);
    CHECK(radius <= 84.0f);
    CHECK(kScreenRing * radius < 0.2f * static_cast<float>(height));
    if (height >= 600) CHECK(radius == 84.0f);
  }
}

TEST_CASE("gizmo: each ring is found under the mouse on its near side, and nothing beside them") {
  const View view = viewFrom(0.6f, 0.5f);
  const Gizmo gizmo = gizmoAt(view, kCenter, mat3(1.0f), 90.0f);
  for (const Grip handle : {Grip::x, Grip::y, Grip::z, Grip::screen}) {
    int found = 0;
    int near = 0;
    for (int i = 0; i < 60; ++i) {
      const RingPoint p = ringPoint(gizmo, handle, view,
                                    2.0f * std::numbers::pi_v<float> * static_cast<float>(i) / 60);
      if (!p.near) continue;
      ++near;
      found += pickRing(gizmo, view, toPixel(view, p.place), 6.0f) == handle ? 1 : 0;
    }
    CAPTURE(static_cast<int>(handle));
    CHECK(near >= 28);
    CHECK(found >= near - 8); // rings cross each other
  }
  CHECK_FALSE(pickRing(gizmo, view, toPixel(view, kCenter), 6.0f).has_value());
  CHECK_FALSE(pickRing(gizmo, view, vec2(2.0f), 6.0f).has_value());
}

TEST_CASE("gizmo: a ring turns as far as the mouse goes around it") {
  const quat tilt = glm::angleAxis(0.4f, glm::normalize(vec3(1, 2, 3)));
  for (const float yaw : {-0.8f, 0.5f, 2.5f})
    for (const Grip handle : {Grip::x, Grip::y, Grip::z, Grip::screen}) {
      CAPTURE(yaw);
      CAPTURE(static_cast<int>(handle));
      const View view = viewFrom(yaw, 0.6f);
      const Gizmo gizmo = gizmoAt(view, kCenter, glm::mat3_cast(tilt), 90.0f);
      const auto pixel = [&](float angle) {
        return toPixel(view, ringPoint(gizmo, handle, view, angle).place);
      };
      RingDrag drag = startRingDrag(gizmo, handle, view, pixel(0.3f));
      CHECK_FALSE(drag.edgeOn);
      for (int i = 1; i <= 100; ++i) // one and a quarter turn
        dragRing(drag, view,
                 pixel(0.3f + 2.5f * std::numbers::pi_v<float> * static_cast<float>(i) / 100));
      CHECK(drag.angle == doctest::Approx(2.5f * std::numbers::pi_v<float>).epsilon(1e-5));
      for (int i = 100; i >= 0; --i)
        dragRing(drag, view,
                 pixel(0.3f + 2.5f * std::numbers::pi_v<float> * static_cast<float>(i) / 100));
      CHECK(std::abs(drag.angle) < 1e-5f);
    }
}

TEST_CASE("gizmo: a ring's positive angle turns its points the way the mouse went") {
  const View view = viewFrom(0.4f, 0.3f);
  const Gizmo gizmo = gizmoAt(view, kCenter, mat3(1.0f), 90.0f);
  const vec3 from = ringPoint(gizmo, Grip::y, view, 1.0f).place;
  const vec3 to = ringPoint(gizmo, Grip::y, view, 1.5f).place;
  RingDrag drag = startRingDrag(gizmo, Grip::y, view, toPixel(view, from));
  dragRing(drag, view, toPixel(view, to));
  CHECK(glm::length(kCenter + glm::angleAxis(drag.angle, drag.axis) * (from - kCenter) - to) <
        1e-5f * gizmo.radius);
}

TEST_CASE("gizmo: a ring seen from its edge follows the mouse along it") {
  const View view = viewFrom(0.0f, 0.0f);
  const Gizmo gizmo = gizmoAt(view, vec3(0), mat3(1.0f), 90.0f);
  const vec2 middle = toPixel(view, vec3(0));
  RingDrag drag = startRingDrag(gizmo, Grip::y, view, middle);
  CHECK(drag.edgeOn);
  // The near side of a turn about +y goes to the right, with the mouse.
  dragRing(drag, view, middle + vec2(4, 0));
  const vec3 near = gizmo.radius * handleAxis(gizmo, Grip::screen, view);
  const vec2 moved = toPixel(view, glm::angleAxis(drag.angle, drag.axis) * near);
  CHECK(glm::length(moved - (middle + vec2(4, 0))) < 2e-3f);
  const float angle = drag.angle;
  dragRing(drag, view, middle + vec2(40, 0));
  CHECK(drag.angle == doctest::Approx(10.0f * angle).epsilon(1e-4));
  dragRing(drag, view, middle + vec2(40, 30)); // across it: nothing
  CHECK(drag.angle == doctest::Approx(10.0f * angle).epsilon(1e-4));
}

TEST_CASE("gizmo: an arrow moves as far as the mouse moves along it") {
  const View view = viewFrom(0.6f, 0.4f);
  const Gizmo gizmo = gizmoAt(view, kCenter, mat3(1.0f), 90.0f);
  for (const Grip handle : {Grip::x, Grip::y, Grip::z}) {
    const vec3 axis = handleAxis(gizmo, handle, view);
    const vec3 grip = kCenter + 0.6f * gizmo.radius * axis;
    CHECK(pickArrow(gizmo, view, toPixel(view, grip), 6.0f) == handle);
    const vec3 head = kCenter + 1.14f * gizmo.radius * axis;
    CHECK(pickArrow(gizmo, view, toPixel(view, head), 6.0f) == handle);
    ArrowDrag drag = startArrowDrag(gizmo, handle, view, toPixel(view, grip));
    dragArrow(drag, view, toPixel(view, grip + 0.2f * axis));
    CHECK(glm::length(drag.moved - 0.2f * axis) < 1e-5f);
  }
  CHECK(pickArrow(gizmo, view, toPixel(view, kCenter) + vec2(3, -3), 6.0f) == Grip::screen);
  ArrowDrag drag = startArrowDrag(gizmo, Grip::screen, view, toPixel(view, kCenter));
  const vec3 right = glm::transpose(mat3(viewFromWorld(view.camera)))[0];
  const vec3 across =
      right - glm::dot(right, drag.axis) * drag.axis; // in the plane that it moves in
  dragArrow(drag, view, toPixel(view, kCenter + 0.1f * across));
  CHECK(glm::length(drag.moved - 0.1f * across) < 1e-5f);
}

TEST_CASE("gizmo: snapping and lines") {
  CHECK(snapped(0.49f, 0.25f) == doctest::Approx(0.5f));
  CHECK(snapped(-0.3f, 0.25f) == doctest::Approx(-0.25f));
  const Ray ray{vec3(0.3f, 1, 5), vec3(0, 0, -1)};
  CHECK(nearestOnLine(ray, vec3(0), vec3(1, 0, 0)) == doctest::Approx(0.3f));
  CHECK_FALSE(nearestOnLine(ray, vec3(0), vec3(0, 0, 1)).has_value());
}

} // namespace sinew
