#include "viewer/viewport.h"

#include <doctest/doctest.h>

#include <fstream>

namespace sinew {

TEST_CASE("viewport: a panel's rectangle in the framebuffer, from below and in its pixels") {
  const Viewport one = viewportOf({200, 30, 600, 500}, 1.0f, 800);
  CHECK(one.x == 200);
  CHECK(one.y == 270);
  CHECK(one.width == 600);
  CHECK(one.height == 500);
  const Viewport two = viewportOf({200, 30, 600, 500}, 2.0f, 1600);
  CHECK(two.x == 400);
  CHECK(two.y == 540);
  CHECK(two.width == 1200);
  CHECK(viewportOf({0, 0, 0, 0}, 1.0f, 600).width == 1);
}

TEST_CASE("viewport: a screenshot takes no file's name") {
  const auto folder = std::filesystem::temp_directory_path() / "sinew_names_test";
  std::filesystem::create_directories(folder);
  CHECK(freeName(folder, "a").filename() == "a-001.png");
  std::ofstream(folder / "a-001.png") << "x";
  CHECK(freeName(folder, "a").filename() == "a-002.png");
  std::filesystem::remove_all(folder);
}

} // namespace sinew
