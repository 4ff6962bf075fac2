#include "core/bounds.h"
#include "core/random.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using glm::vec3;

namespace {

// How far the outline reaches in a direction, of how far the points do, from their middle.
float measureShare(const Outline& outline, std::span<const vec3> all, const vec3& direction) {
  const auto reach = [&](std::span<const vec3> points) {
    float out = 0.0f;
    for (const vec3& point : points)
      out = std::max(out, glm::dot(point - outline.center(), direction));
    return out;
  };
  return reach(outline.points) / reach(all);
}

} // namespace

TEST_CASE("an outline reaches as far as its points, up to 6 %, joined or at once") {
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    const vec3 stretch(random.uniform(0.2f, 1.0f), random.uniform(0.2f, 1.0f), 1.0f);
    const vec3 at = 5.0f * randomDirection(random);
    std::vector<vec3> points(3000);
    for (vec3& point : points)
      point = at + stretch * randomDirection(random);
    const Outline whole = makeOutline(points);
    CHECK(whole.points.size() <= 64);
    Outline joined;
    for (std::size_t part = 0; part < 10; ++part)
      joined.include(makeOutline(std::span(points).subspan(300 * part, 300)));
    CHECK(joined.min == whole.min);
    CHECK(joined.max == whole.max);
    for (int d = 0; d < 50; ++d) {
      const vec3 direction = randomDirection(random);
      CHECK(measureShare(whole, points, direction) > 0.94f);
      CHECK(measureShare(joined, points, direction) > 0.94f);
    }
  }
}

TEST_CASE("an outline of a box alone has its corners, when something joins it") {
  const Bounds box{vec3(-1.0f), vec3(1.0f)};
  Outline outline(box);
  CHECK(outline.points.empty());
  outline.include(vec3(0.0f, 3.0f, 0.0f));
  CHECK(outline.points.size() == 9);
  CHECK(outline.max.y == 3.0f);
  Outline other;
  other.include(moved(makeOutline(std::vector{vec3(0.0f)}), vec3(2.0f)));
  CHECK(other.min == vec3(2.0f));
  other.include(Outline(box));
  CHECK(other.points.size() == 9);
  CHECK(other.min == vec3(-1.0f));
  CHECK(moved(Outline(), vec3(1.0f)).empty());
}
