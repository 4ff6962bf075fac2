#include "core/random.h"
#include "editor/paint/paint_pick.h"
#include "model/shapes.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

using namespace sinew;

namespace {

View viewOfBall(int width, int height, Projection projection = Projection::perspective) {
  View view;
  view.viewport = {0, 0, width, height};
  view.scene = {vec3(-1.0f), vec3(1.0f)};
  view.camera = frameOutline(view.scene, view.viewport.aspect(), 0.6f, 0.3f, projection);
  return view;
}

} // namespace

TEST_CASE("paint pick: what is under a pixel projects to it, and nothing is in front of it") {
  const Mesh ball = toMesh(ellipsoid(vec3(0.0f), {1.0f, 0.7f, 0.9f}, 40, 30), "ball");
  for (const Projection projection : {Projection::perspective, Projection::orthographic}) {
    const View view = viewOfBall(640, 400, projection);
    const PickGrid grid(view, ball.positions, ball.triangles);
    Random random(1);
    int hits = 0;
    for (int i = 0; i < 2000; ++i) {
      const vec2 pixel(random.uniform(0, 640), random.uniform(0, 400));
      const auto hit = grid.at(pixel);
      if (!hit) continue;
      ++hits;
      const vec3 screen = screenFromWorld(view, hit->position);
      CHECK(glm::length(vec2(screen) - pixel) < 0.01f);
      const vec3 normal = hit->position / vec3(1.0f, 0.49f, 0.81f);
      CHECK(glm::dot(normal, towardsEye(view.camera, hit->position)) > -0.05f);
      CHECK(hit->shares.x + hit->shares.y + hit->shares.z == doctest::Approx(1.0));
    }
    CHECK(hits > 100);
    CHECK(hits < 1500);
    CHECK(!grid.at({-3.0f, 10.0f}));
    CHECK(!grid.at({10.0f, 5000.0f}));
  }
  CHECK(!PickGrid().at({0.0f, 0.0f}));
}

TEST_CASE("paint pick: stamps lie evenly along a stroke however it is cut into pieces") {
  const auto stamps = [](int pieces) {
    std::vector<vec2> all;
    float carried = 0.0f;
    for (int i = 0; i < pieces; ++i)
      for (const vec2 stamp : stampsBetween(
               vec2(100.0f * static_cast<float>(i) / static_cast<float>(pieces), 0.0f),
               vec2(100.0f * static_cast<float>(i + 1) / static_cast<float>(pieces), 0.0f), 7.0f,
               carried))
        all.push_back(stamp);
    return all;
  };
  const std::vector<vec2> once = stamps(1);
  CHECK(once.size() == 14);
  for (const int pieces : {2, 9, 40}) {
    const std::vector<vec2> some = stamps(pieces);
    REQUIRE(some.size() == once.size());
    for (std::size_t i = 0; i < some.size(); ++i)
      CHECK(glm::length(some[i] - once[i]) < 1e-3f);
  }
  float carried = 3.0f;
  CHECK(stampsBetween(vec2(5.0f), vec2(5.0f), 7.0f, carried).empty());
  CHECK(carried == doctest::Approx(3.0));
}
