#include "check/fault_view.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <cmath>
#include <vector>

namespace sinew {
namespace {

struct Quads {
  std::vector<vec3> positions;
  std::vector<Triangle> triangles;

  // A square of 1 x 1 across the horizontal direction `yaw`, that far from the middle.
  void add(float yaw, float away, float halfSize) {
    const float angle = glm::radians(yaw);
    const vec3 normal(std::sin(angle), 0, std::cos(angle)), side(normal.z, 0, -normal.x);
    const auto first = static_cast<std::uint32_t>(positions.size());
    for (const vec2 corner : {vec2(-1, -1), vec2(1, -1), vec2(1, 1), vec2(-1, 1)})
      positions.push_back(away * normal + halfSize * (corner.x * side + vec3(0, corner.y, 0)));
    triangles.push_back({first, first + 1, first + 2});
    triangles.push_back({first, first + 2, first + 3});
  }
};

float angleBetween(float a, float b) {
  return std::abs(std::remainder(a - b, 360.0f));
}

TEST_CASE("a fault is looked at where nothing hides it") {
  // A small square in the middle, and walls around it on all sides but one.
  for (const float open : {0.0f, 90.0f, 180.0f, 270.0f}) {
    Quads quads;
    quads.add(open, 0.0f, 0.1f);
    for (const float yaw : {0.0f, 90.0f, 180.0f, 270.0f})
      if (yaw != open) quads.add(yaw, 1.0f, 1.0f);
    const std::vector<std::uint32_t> region{0, 1, 2, 3};
    const ViewAngles view = viewOfFault(quads.positions, quads.positions, quads.triangles, region);
    CAPTURE(open);
    CHECK(angleBetween(view.yaw, open) <= 45.0f);
    CHECK(view.pitch > 0.0f);
  }
}

TEST_CASE("a fault is looked at across the way that the skin has moved") {
  for (const float moved : {0.0f, 60.0f, 90.0f}) {
    Quads quads;
    quads.add(0.0f, 0.0f, 0.1f);
    const float angle = glm::radians(moved);
    std::vector<vec3> right = quads.positions;
    for (vec3& position : right)
      position += 0.2f * vec3(std::sin(angle), 0, std::cos(angle));
    const ViewAngles view = viewOfFault(quads.positions, right, quads.triangles,
                                        std::vector<std::uint32_t>{0, 1, 2, 3});
    CAPTURE(moved);
    const float between = angleBetween(view.yaw, moved);
    CHECK(std::min(angleBetween(between, 90.0f), angleBetween(between, 270.0f)) <= 15.0f);
  }
}

} // namespace
} // namespace sinew
