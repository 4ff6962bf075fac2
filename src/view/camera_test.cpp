#include "core/random.h"
#include "view/camera.h"
#include "view/view.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace sinew;

namespace {

std::vector<vec3> corners(const Bounds& box) {
  std::vector<vec3> out;
  out.reserve(8);
  for (int i = 0; i < 8; ++i)
    out.emplace_back((i & 1) != 0 ? box.max.x : box.min.x, (i & 2) != 0 ? box.max.y : box.min.y,
                     (i & 4) != 0 ? box.max.z : box.min.z);
  return out;
}

vec3 project(const mat4& clipFromWorld, const vec3& p) {
  const vec4 clip = clipFromWorld * vec4(p, 1.0f);
  CHECK(clip.w > 0.0f);
  return vec3(clip) / clip.w;
}

} // namespace

TEST_CASE("framing shows all of any box, and does not waste the picture") {
  Random random(11);
  for (int i = 0; i < 2000; ++i) {
    CAPTURE(i);
    const float size = std::pow(10.0f, random.uniform(-3.0f, 4.0f));
    const vec3 center = 3.0f * size * vec3(random.uniform(-1, 1), random.uniform(-1, 1), 0.5f);
    const vec3 half = size * vec3(random.uniform(), random.uniform(), random.uniform());
    const Bounds box{center - half, center + half};
    const float aspect = random.uniform(0.3f, 3.0f);
    const Camera camera =
        frameOutline(box, aspect, random.uniform(-7, 7), random.uniform(-1.5f, 1.5f),
                     i % 2 == 0 ? Projection::perspective : Projection::orthographic);
    const mat4 clipFromWorld = clipFromView(camera, aspect, box) * viewFromWorld(camera);
    float reach = 0.0f;
    for (const vec3& corner : corners(box)) {
      const vec3 ndc = project(clipFromWorld, corner);
      reach = std::max({reach, std::abs(ndc.x), std::abs(ndc.y)});
      CHECK(std::abs(ndc.z) <= 1.0f);
    }
    CHECK(reach <= 1.0f);
    CHECK(reach >= 0.6f);
  }
}

TEST_CASE("framing an outline shows all of its points, and fills 85 % of the picture") {
  Random random(13);
  for (int i = 0; i < 500; ++i) {
    CAPTURE(i);
    const vec3 at =
        10.0f * vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    const vec3 half(random.uniform(0.1f, 1.0f), random.uniform(0.1f, 1.0f),
                    random.uniform(0.1f, 1.0f));
    std::vector<vec3> points; // an ellipsoid, for which a box wastes most
    points.reserve(2000);
    for (int p = 0; p < 2000; ++p)
      points.push_back(at + half * glm::normalize(vec3(random.uniform(-1, 1), random.uniform(-1, 1),
                                                       random.uniform(-1, 1))));
    const float aspect = random.uniform(0.5f, 2.0f);
    const Outline outline = makeOutline(points);
    const Camera camera =
        frameOutline(outline, aspect, random.uniform(-7, 7), random.uniform(-1.5f, 1.5f),
                     i % 2 == 0 ? Projection::perspective : Projection::orthographic);
    const mat4 clipFromWorld = clipFromView(camera, aspect, outline) * viewFromWorld(camera);
    float reach = 0.0f;
    for (const vec3& point : points) {
      const vec3 ndc = project(clipFromWorld, point);
      reach = std::max({reach, std::abs(ndc.x), std::abs(ndc.y)});
    }
    CHECK(reach <= 1.0f);
    CHECK(reach >= 0.85f);
  }
}

TEST_CASE("an empty box and a box without size can be framed") {
  for (const Bounds& box : {Bounds{}, Bounds{vec3(2.0f), vec3(2.0f)}})
    for (const Projection projection : {Projection::perspective, Projection::orthographic}) {
      const Camera camera = frameOutline(box, 1.5f, 0.3f, 0.2f, projection);
      const mat4 m = clipFromView(camera, 1.5f, box) * viewFromWorld(camera);
      CHECK(isFinite(m));
      CHECK(camera.distance > 0.0f);
    }
}

TEST_CASE("yaw 0 looks from +Z with +X to the right and +Y up") {
  Camera camera;
  camera.yaw = 0.0f;
  camera.pitch = 0.0f;
  const vec3 eye = eyePosition(camera);
  CHECK(glm::length(eye - vec3(0, 0, camera.distance)) < 1e-6f);
  View view;
  view.camera = camera;
  view.viewport = {0, 0, 200, 100};
  view.scene = {vec3(-1.0f), vec3(1.0f)};
  const vec3 middle = screenFromWorld(view, vec3(0.0f));
  CHECK(middle.x == doctest::Approx(100.0f));
  CHECK(middle.y == doctest::Approx(50.0f));
  CHECK(screenFromWorld(view, vec3(0.5f, 0, 0)).x > middle.x);
  CHECK(screenFromWorld(view, vec3(0, 0.5f, 0)).y < middle.y);
  CHECK(screenFromWorld(view, vec3(0, 0, 0.5f)).z < middle.z);
}

TEST_CASE("eye and view agree at any angles") {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    Camera camera;
    camera.target = {random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-5, 5)};
    camera.yaw = random.uniform(-7, 7);
    camera.pitch = random.uniform(-1.5f, 1.5f);
    camera.distance = random.uniform(0.1f, 20.0f);
    const mat4 m = viewFromWorld(camera);
    CHECK(glm::length(transformPoint(m, eyePosition(camera))) < 1e-4f);
    const vec3 target = transformPoint(m, camera.target);
    CHECK(glm::length(target - vec3(0, 0, -camera.distance)) < 1e-4f);
    CHECK(glm::determinant(mat3(m)) == doctest::Approx(1.0f));
  }
}

TEST_CASE("a point projects where the projection says") {
  Random random(17);
  for (int i = 0; i < 500; ++i) {
    const bool parallel = i % 2 == 0;
    View view;
    Camera& camera = view.camera;
    camera.projection = parallel ? Projection::orthographic : Projection::perspective;
    camera.target = {random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-5, 5)};
    camera.yaw = random.uniform(-7, 7);
    camera.pitch = random.uniform(-1.5f, 1.5f);
    camera.distance = random.uniform(0.5f, 9.0f);
    view.viewport = {0, 0, 640, 400};
    // By parallel rays also what is behind the eye is seen.
    const float nearest = parallel ? -3.0f : 0.2f;
    const float depth = camera.distance * random.uniform(nearest, 4.0f);
    const vec2 pixel(random.uniform(0, 640), random.uniform(0, 400));
    const float slope = std::tan(0.5f * camera.fovY) * (parallel ? camera.distance : depth);
    const vec2 across = slope / 200.0f * vec2(pixel.x - 320.0f, 200.0f - pixel.y);
    const mat3 worldFromView = glm::transpose(mat3(viewFromWorld(camera)));
    const vec3 point = eyePosition(camera) + worldFromView * vec3(across, -depth);
    view.scene = {point - 0.3f, point + 0.2f};
    const vec3 seen = screenFromWorld(view, point);
    CHECK(std::abs(seen.x - pixel.x) < 0.05f);
    CHECK(std::abs(seen.y - pixel.y) < 0.05f);
    CHECK(seen.z > 0.0f);
    CHECK(seen.z < 1.0f);
    const vec3 nearer = point + 0.05f * towardsEye(camera, point);
    const vec3 atNearer = screenFromWorld(view, nearer);
    CHECK(std::abs(atNearer.x - pixel.x) < 0.1f); // on the same ray
    CHECK(std::abs(atNearer.y - pixel.y) < 0.1f);
    CHECK(atNearer.z < seen.z);
  }
}

TEST_CASE("near and far stay apart with the camera inside the scene or past it") {
  const Bounds box{vec3(-1.0f), vec3(1.0f)};
  for (const float distance : {1e-3f, 0.5f, 3.0f, 1e4f})
    for (const vec3& target : {vec3(0.0f), vec3(0, 0, 50), vec3(0, 0, -50)}) {
      Camera camera;
      camera.target = target;
      camera.distance = distance;
      CHECK(isFinite(clipFromView(camera, 1.0f, box)));
      camera.projection = Projection::orthographic;
      CHECK(isFinite(clipFromView(camera, 1.0f, box)));
      CHECK(isFinite(clipFromView(camera, 1.0f, {})));
      CHECK(isFinite(clipFromView(camera, 1.0f, {target, target})));
    }
}
