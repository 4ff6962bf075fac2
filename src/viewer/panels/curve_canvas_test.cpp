#include "core/random.h"
#include "viewer/panels/curve_canvas.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sinew;
using glm::vec2;

TEST_CASE("a curve drawn by hand: whatever the mouse does, it stays one") {
  Random random(8);
  std::vector<vec2> points;
  std::size_t largest = 0;
  for (int i = 0; i < 2000; ++i) {
    CAPTURE(i);
    const vec2 mouse(random.uniform(-0.3f, 1.3f), random.uniform(-0.3f, 1.3f));
    const std::vector<vec2> before = points;
    if (points.empty() || random.below(3) == 0) {
      const AddedPoint added = withPointAdded(points, mouse);
      points = added.points;
      CHECK(points.size() == before.size() + (added.index >= 0 ? 1 : 0));
    } else {
      points =
          withPointMoved(points, random.below(static_cast<std::uint32_t>(points.size())), mouse);
    }
    REQUIRE(findProblem(points).empty());
    largest = std::max(largest, points.size());
    if (points.size() > 12) points.erase(points.begin() + random.below(12));
  }
  CHECK(largest > 8);
}
