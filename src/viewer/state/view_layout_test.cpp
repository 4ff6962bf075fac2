#include "viewer/state/view_layout.h"

#include <doctest/doctest.h>

namespace sinew {

TEST_CASE("viewport: a panel's rectangle in the framebuffer, from below and in its pixels") {
  const Viewport one = toViewport({200, 30, 600, 500}, 1.0f, 800);
  CHECK(one.x == 200);
  CHECK(one.y == 270);
  CHECK(one.width == 600);
  CHECK(one.height == 500);
  const Viewport two = toViewport({200, 30, 600, 500}, 2.0f, 1600);
  CHECK(two.x == 400);
  CHECK(two.y == 540);
  CHECK(two.width == 1200);
  CHECK(toViewport({0, 0, 0, 0}, 1.0f, 600).width == 1);
}

} // namespace sinew
