#include "report/sheet.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

namespace sinew {
namespace {

Image plain(std::uint32_t width, std::uint32_t height, std::uint8_t value) {
  Image image{width, height, {}};
  for (std::uint32_t i = 0; i < width * height; ++i)
    image.rgba.insert(image.rgba.end(), {value, value, value, 255});
  return image;
}

std::uint8_t red(const Image& image, std::uint32_t x, std::uint32_t y) {
  return image.rgba[4 * (std::size_t{y} * image.width + x)];
}

TEST_CASE("a grid has room for all, no empty row, and cells near squares") {
  for (std::size_t count = 1; count <= 12; ++count)
    for (const float aspect : {0.3f, 0.7f, 1.0f, 1.6f, 4.0f}) {
      const Grid grid = gridFor(count, aspect);
      CHECK(grid.columns * grid.rows >= static_cast<int>(count));
      CHECK(grid.columns * (grid.rows - 1) < static_cast<int>(count));
    }
  CHECK(gridFor(2, 1.6f).columns == 2);
  CHECK(gridFor(2, 0.5f).columns == 1);
  CHECK(gridFor(6, 1.5f).columns == 3);
  CHECK(gridFor(4, 1.0f).columns == 2);
  CHECK(gridFor(3, 4.0f).columns == 3);
}

TEST_CASE("tiles stand in their cells, row by row") {
  const std::vector<Tile> tiles{
      {plain(40, 30, 10), ""}, {plain(40, 30, 20), ""}, {plain(30, 20, 30), ""}};
  const Image sheet = layOut(tiles, 2);
  REQUIRE(sheet.width == 82);
  REQUIRE(sheet.height == 62);
  CHECK(red(sheet, 0, 0) == 10);
  CHECK(red(sheet, 42, 0) == 20);
  CHECK(red(sheet, 0, 32) == 30);
  CHECK(red(sheet, 29, 51) == 30);
  CHECK(red(sheet, 30, 51) == 255); // outside the smaller picture
  CHECK(layOut({}).width == 0);
}

TEST_CASE("a caption is drawn at the bottom left and nowhere else") {
  Image image = plain(400, 300, 128);
  const double height = drawCaption(image, "Linear blending\n0.35 ms");
  REQUIRE(image.width == 400);
  CHECK(height > 20.0);
  CHECK(height < 60.0);
  bool light = false;
  for (std::uint32_t y = 260; y < 300; ++y)
    for (std::uint32_t x = 0; x < 150; ++x)
      light = light || red(image, x, y) > 200;
  CHECK(light);
  CHECK(red(image, 399, 299) == 128);
  CHECK(red(image, 0, 298 - static_cast<std::uint32_t>(height)) == 128);
  CHECK(red(image, 0, 0) == 128);
  CHECK(red(image, 0, 299) < 128);
}

TEST_CASE("a caption wider than its picture is made smaller; odd bytes do no harm") {
  Image narrow = plain(60, 60, 128);
  drawCaption(narrow, "A very long caption for so small a picture");
  CHECK(red(narrow, 59, 0) == 128);
  Image odd = plain(200, 60, 128);
  drawCaption(odd, "a\xff\xc3(b\xf0\x9f");
  CHECK(red(odd, 2, 57) < 128);
  Image same = plain(20, 20, 7);
  CHECK(drawCaption(same, "") == 0.0);
  CHECK(same.rgba == plain(20, 20, 7).rgba);
}

} // namespace

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

} // namespace sinew
