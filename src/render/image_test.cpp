#include "core/error.h"
#include "core/file.h"
#include "core/random.h"
#include "render/image.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace sinew;

namespace {

Image filled(std::uint32_t width, std::uint32_t height, std::uint8_t value) {
  Image image{width, height, {}};
  image.rgba.assign(std::size_t{4} * width * height, value);
  return image;
}

std::filesystem::path temporary(const char* name) {
  return std::filesystem::temp_directory_path() / name;
}

} // namespace

TEST_CASE("a PNG that is written and read again is equal") {
  Random random(5);
  Image image = filled(37, 21, 0);
  for (std::uint8_t& byte : image.rgba)
    byte = static_cast<std::uint8_t>(random.below(256));
  const auto path = temporary("sinew_image_test.png");
  writePng(path, image);
  const Image back = readPng(path);
  CHECK(back.width == 37);
  CHECK(back.height == 21);
  CHECK(back.rgba == image.rgba);
  std::filesystem::remove(path);
}

TEST_CASE("a PNG has transparency where the image has some, and is as exact when it is small") {
  Random random(6);
  Image image = filled(50, 40, 255);
  for (std::size_t i = 0; i < image.rgba.size(); ++i)
    if (i % 4 != 3) image.rgba[i] = static_cast<std::uint8_t>(random.below(4) + i / 400);
  const auto path = temporary("sinew_image_test_2.png");
  constexpr std::size_t kColorType = 25; // byte of the file; 2: RGB, 6: RGBA
  for (const bool opaque : {true, false}) {
    if (!opaque) image.rgba[403] = 254;
    for (const PngEffort effort : {PngEffort::fast, PngEffort::small}) {
      const std::string bytes = encodePng(image, effort);
      CHECK(bytes.at(kColorType) == (opaque ? 2 : 6));
      writeFile(path, bytes);
      CHECK(readPng(path).rgba == image.rgba);
    }
    CHECK(encodePng(image, PngEffort::small).size() < encodePng(image).size());
  }
  std::filesystem::remove(path);
}

TEST_CASE("pictures that cannot be read or written say which and why") {
  const auto path = temporary("sinew_not_a_picture.png");
  writeFile(path, "no picture");
  CHECK_THROWS_WITH_AS(readPng(path), doctest::Contains("sinew_not_a_picture.png"), Error);
  std::filesystem::remove(path);
  CHECK_THROWS_AS(readPng(path), Error);
  CHECK_THROWS_WITH_AS(writePng(temporary("no_such_folder") / "a.png", filled(2, 2, 9)),
                       doctest::Contains("no_such_folder"), Error);
}

TEST_CASE("difference is 0 for equal pictures and 1 for black against white") {
  const Image black = filled(8, 8, 0);
  const Image white = filled(8, 8, 255);
  CHECK(difference(black, black).mean == 0.0);
  CHECK(difference(black, black).changedFraction == 0.0);
  CHECK(difference(black, white).mean == doctest::Approx(1.0));
  CHECK(difference(black, white).changedFraction == doctest::Approx(1.0));
}

TEST_CASE("difference counts pixels by their worst channel, and small ones not at all") {
  const Image a = filled(10, 10, 100);
  Image b = a;
  b.rgba[0] = 108;     // as far as counts as equal
  b.rgba[4 + 1] = 109; // one step more
  b.rgba[8 + 2] = 49;
  const ImageDifference d = difference(a, b);
  CHECK(d.changedFraction == doctest::Approx(0.02));
  CHECK(d.mean == doctest::Approx((8 + 9 + 51) / 255.0 / 100.0));
  const Image shown = differenceImage(a, b);
  CHECK(shown.rgba[0] == 32);
  CHECK(shown.rgba[8 + 2] == 204);
  CHECK(shown.rgba[3] == 255);
  CHECK(shown.rgba[12] == 0);
}

TEST_CASE("pictures of different size are not compared") {
  CHECK_THROWS_WITH_AS(difference(filled(4, 4, 0), filled(4, 5, 0)), doctest::Contains("4x5"),
                       Error);
}
