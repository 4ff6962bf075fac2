#include "editor/document/orbit.h"
#include "view/view.h"

#include <doctest/doctest.h>

#include <cmath>

namespace sinew {
namespace {

View makeView(const Camera& camera, const Bounds& bounds) {
  View view;
  view.camera = camera;
  view.viewport = {0, 0, 800, 600};
  view.scene = bounds;
  return view;
}

} // namespace

TEST_CASE("camera control: the framed box is on the screen, whatever was turned and moved before") {
  const Bounds bounds{vec3(-3, 0, 2), vec3(1, 9, 4)};
  Settings settings;
  Orbit orbit;
  orbit.pan = vec3(100.0f);
  zoomBy(settings, 7);
  orbitBy(settings, 3.7f, -0.4f);
  frame(settings, orbit, bounds);
  const View view = makeView(makeCamera(settings, orbit, 800.0f / 600.0f), bounds);
  for (int corner = 0; corner < 8; ++corner) {
    const vec3 p((corner & 1) ? bounds.min.x : bounds.max.x,
                 (corner & 2) ? bounds.min.y : bounds.max.y,
                 (corner & 4) ? bounds.min.z : bounds.max.z);
    const vec3 s = screenFromWorld(view, p);
    CHECK(s.x >= 0.0f);
    CHECK(s.x <= 800.0f);
    CHECK(s.y >= 0.0f);
    CHECK(s.y <= 600.0f);
  }
}

TEST_CASE("camera control: what is panned follows the mouse") {
  const Bounds bounds{vec3(-1), vec3(1)};
  Settings settings;
  Orbit orbit;
  frame(settings, orbit, bounds);
  const float aspect = 800.0f / 600.0f;
  const vec3 before =
      screenFromWorld(makeView(makeCamera(settings, orbit, aspect), bounds), vec3(0));
  panBy(orbit, makeCamera(settings, orbit, aspect), 0.2f, -0.1f); // 120 px right, 60 px up
  const vec3 after =
      screenFromWorld(makeView(makeCamera(settings, orbit, aspect), bounds), vec3(0));
  CHECK(after.x - before.x == doctest::Approx(120.0f).epsilon(0.001));
  CHECK(after.y - before.y == doctest::Approx(-60.0f).epsilon(0.001));
}

TEST_CASE("camera control: the wheel keeps what is under the mouse there") {
  const Bounds bounds{vec3(-3, 0, 2), vec3(1, 9, 4)};
  const float aspect = 800.0f / 600.0f;
  for (const vec2 at : {vec2(0.0f), vec2(0.4f, -0.3f), vec2(-0.6f, 0.5f)})
    for (const float steps : {3.0f, -2.0f, 3.5f, -2.5f}) {
      Settings settings;
      if (steps != std::trunc(steps)) settings.projection = Projection::orthographic;
      Orbit orbit;
      frame(settings, orbit, bounds);
      const Camera camera = makeCamera(settings, orbit, aspect);
      Orbit under = orbit; // its pan leads from the target to what the mouse is over
      panBy(under, camera, -at.x, -at.y);
      const vec3 point = bounds.center() + under.pan;
      zoomTo(settings, orbit, aspect, at.x, at.y, steps);
      CHECK(settings.distance != 1.0f);
      const vec3 seen =
          screenFromWorld(makeView(makeCamera(settings, orbit, aspect), bounds), point);
      CHECK(seen.x == doctest::Approx(400.0f + 600.0f * at.x).epsilon(0.001));
      CHECK(seen.y == doctest::Approx(300.0f + 600.0f * at.y).epsilon(0.001));
    }
}

TEST_CASE("camera control: by parallel rays the wheel holds what is under the mouse at any depth") {
  const Bounds bounds{vec3(-3, 0, 2), vec3(1, 9, 4)};
  const float aspect = 800.0f / 600.0f;
  Settings settings;
  settings.projection = Projection::orthographic;
  Orbit orbit;
  frame(settings, orbit, bounds);
  for (const vec3& point : {vec3(-3, 0, 2), vec3(1, 9, 4), vec3(0, 5, 3)}) {
    const vec3 before =
        screenFromWorld(makeView(makeCamera(settings, orbit, aspect), bounds), point);
    zoomTo(settings, orbit, aspect, (before.x - 400.0f) / 600.0f, (before.y - 300.0f) / 600.0f,
           2.0f);
    const vec3 after =
        screenFromWorld(makeView(makeCamera(settings, orbit, aspect), bounds), point);
    CHECK(after.x == doctest::Approx(before.x).epsilon(0.001));
    CHECK(after.y == doctest::Approx(before.y).epsilon(0.001));
  }
}

TEST_CASE("camera control: another projection shows what the camera looks at as large") {
  const Bounds bounds{vec3(-3, 0, 2), vec3(1, 9, 14)};
  const float aspect = 800.0f / 600.0f;
  Settings settings;
  Orbit orbit;
  frame(settings, orbit, bounds);
  zoomBy(settings, 3.0f);
  const auto heightOfTarget = [&] {
    const Camera camera = makeCamera(settings, orbit, aspect);
    const View view = makeView(camera, bounds);
    const vec3 up = 0.1f * glm::transpose(mat3(viewFromWorld(camera)))[1];
    return screenFromWorld(view, camera.target - up).y -
           screenFromWorld(view, camera.target + up).y;
  };
  const float before = heightOfTarget();
  for (const Projection projection : {Projection::orthographic, Projection::perspective}) {
    setProjection(settings, orbit, aspect, projection);
    CHECK(settings.projection == projection);
    CHECK(heightOfTarget() == doctest::Approx(before).epsilon(0.001));
  }
}

TEST_CASE("camera control: a close-up has its sphere in the middle of the view") {
  const Bounds bounds{vec3(-3, 0, 2), vec3(1, 9, 4)};
  Settings settings;
  Orbit orbit;
  orbit.framed = bounds;
  orbit.pan = vec3(7.0f);
  closeUp(settings, orbit, vec3(1, 8, 3), 0.5f);
  const View view = makeView(makeCamera(settings, orbit, 800.0f / 600.0f), bounds);
  const vec3 middle = screenFromWorld(view, vec3(1, 8, 3));
  CHECK(middle.x == doctest::Approx(400.0f).epsilon(0.001));
  CHECK(middle.y == doctest::Approx(300.0f).epsilon(0.001));
  const vec3 top = screenFromWorld(view, vec3(1, 8.5f, 3));
  CHECK(top.y > 0.0f);
  CHECK(top.y < 200.0f);
}

TEST_CASE("camera control: no drag or wheel leaves the options' ranges") {
  Settings settings;
  for (int i = 0; i < 500; ++i) {
    orbitBy(settings, 0.9f, 0.7f);
    zoomBy(settings, i < 250 ? 3.0f : -3.0f);
    CHECK_NOTHROW(checkSettings(settings));
  }
}

} // namespace sinew
