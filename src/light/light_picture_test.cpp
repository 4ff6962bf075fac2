#include "core/error.h"
#include "core/file.h"
#include "core/test_files.h"
#include "light/light_picture.h"
#include "light/surroundings.h"
#include "model/png.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace sinew {
namespace {

// Bright above, red below.
Image sky(std::uint32_t width, std::uint32_t height) {
  Image image{width, height, {}};
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x)
      image.rgba.insert(image.rgba.end(),
                        {255, y < height / 2 ? std::uint8_t{255} : std::uint8_t{0},
                         y < height / 2 ? std::uint8_t{255} : std::uint8_t{0}, 255});
  return image;
}

// Without run lengths, as programs have written it since 1985: each pixel with its exponent.
std::string encodeHdr(const Image& image, int exponent) {
  std::string text = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y " + std::to_string(image.height) +
                     " +X " + std::to_string(image.width) + "\n";
  for (std::size_t i = 0; i < image.rgba.size(); i += 4)
    for (std::size_t c = 0; c < 4; ++c)
      text += static_cast<char>(c == 3 ? 128 + exponent : image.rgba[i + c]);
  return text;
}

std::string catchMessage(const std::filesystem::path& file) {
  try {
    readLightPicture(file);
  } catch (const Error& error) {
    CHECK(error.cause() == ErrorCause::input);
    return error.what();
  }
  return {};
}

} // namespace

TEST_CASE("light picture: a .hdr and a .png of the same light the same, however bright") {
  const test::TempFolder folder;
  folder.write("sky.png", encodePng(sky(64, 32)));
  folder.write("dim.hdr", encodeHdr(sky(64, 32), -9));
  folder.write("bright.hdr", encodeHdr(sky(64, 32), 14));
  const Irradiance light = *readLightPicture(folder.path / "sky.png").irradiance;
  CHECK(meanLuminance(light) == doctest::Approx(kPictureLight));
  CHECK(mainDirection(light).y > 0.99f);
  const vec3 below = irradianceAt(light, {0, -1, 0});
  CHECK(below.x > 5.0f * below.y);
  for (const char* name : {"dim.hdr", "bright.hdr"}) {
    const LightPicture other = readLightPicture(folder.path / name);
    CHECK(other.file == (folder.path / name).string());
    for (std::size_t i = 0; i < light.coefficients.size(); ++i)
      for (int c = 0; c < 3; ++c)
        CHECK(std::abs(other.irradiance->coefficients[i][c] - light.coefficients[i][c]) < 2e-3f);
  }
}

TEST_CASE("light picture: what gives no light is one line that names the file") {
  const test::TempFolder folder;
  Image black{8, 4, std::vector<std::uint8_t>(std::size_t{8} * 4 * 4, 0)};
  for (std::size_t i = 3; i < black.rgba.size(); i += 4)
    black.rgba[i] = 255;
  folder.write("black.png", encodePng(black));
  folder.write("square.png", encodePng(sky(32, 32)));
  folder.write("words.hdr", "no picture at all");
  folder.write("cut.hdr", encodeHdr(sky(64, 32), 0).substr(0, 300));
  folder.write("huge.hdr", "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 40000 +X 80000\n");
  const std::pair<const char*, const char*> cases[] = {{"black.png", "black"},
                                                       {"square.png", "twice as wide"},
                                                       {"words.hdr", "not an image"},
                                                       {"huge.hdr", "too large"},
                                                       {"none.hdr", ""}};
  for (const auto& [name, words] : cases) {
    const std::string problem = catchMessage(folder.path / name);
    CAPTURE(problem);
    CHECK(problem.find(name) != std::string::npos);
    CHECK(problem.find(words) != std::string::npos);
    CHECK(problem.find('\n') == std::string::npos);
  }
  catchMessage(folder.path / "cut.hdr"); // what is there of it may be light: it ends, that is all
}

} // namespace sinew
