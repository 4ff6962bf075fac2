#include "report/color_scale.h"

#include <doctest/doctest.h>

#include <array>

using namespace sinew;

TEST_CASE("color scale: at the lower right, from the first colour to the last") {
  Image image{400, 300, std::vector<std::uint8_t>(std::size_t{4} * 400 * 300, 255)};
  const std::array colors{vec3(0, 0, 1), vec3(0, 1, 0), vec3(1, 0, 0)};
  drawColorScale(image, colors, "title", "0", "1");
  REQUIRE(image.width == 400);
  std::size_t blue = 400, green = 400, red = 0;
  for (std::uint32_t y = 0; y < 300; ++y)
    for (std::uint32_t x = 0; x < 400; ++x) {
      const std::uint8_t* p = &image.rgba[4 * (std::size_t{y} * 400 + x)];
      if (y < 200 || x < 200) CHECK((p[0] == 255 && p[1] == 255 && p[2] == 255));
      if (p[2] > 240 && p[0] < 16 && p[1] < 16) blue = std::min<std::size_t>(blue, x);
      if (p[1] > 240 && p[0] < 16 && p[2] < 16) green = std::min<std::size_t>(green, x);
      if (p[0] > 240 && p[1] < 16 && p[2] < 16) red = std::max<std::size_t>(red, x);
    }
  CHECK(blue < green);
  CHECK(green < red);
  CHECK(red < 400);
}
