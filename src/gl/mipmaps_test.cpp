#include "core/color.h"
#include "core/random.h"
#include "gl/mipmaps.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;

namespace {

Image randomImage(Random& random, std::uint32_t width, std::uint32_t height) {
  Image image{width, height, {}};
  image.rgba.resize(std::size_t{4} * width * height);
  for (std::uint8_t& byte : image.rgba)
    byte = static_cast<std::uint8_t>(random.below(256));
  return image;
}

double readValue(const Image& image, Texels texels, std::size_t texel, std::size_t channel) {
  const float stored = static_cast<float>(image.rgba[4 * texel + channel]) / 255.0f;
  return static_cast<double>(texels == Texels::light && channel < 3 ? linearFromSrgb(stored)
                                                                    : stored);
}

// The whole image's mean of a channel.
double computeMean(const Image& image, Texels texels, std::size_t channel) {
  const std::size_t count = image.rgba.size() / 4;
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i)
    sum += readValue(image, texels, i, channel);
  return sum / static_cast<double>(count);
}

// Half a code, and what the table of codes may be off, at the code's own slope.
double estimateRounding(Texels texels, std::size_t channel, double value) {
  if (texels == Texels::stored || channel == 3) return 0.51 / 255.0;
  const double slope = 1.0 / 255.0 * 2.4 / 1.055 * std::pow(std::max(value, 0.004), 1.4 / 2.4);
  return 0.65 * slope + 1e-4;
}

} // namespace

TEST_CASE("mipmaps: half as large each, to one texel, whatever the size") {
  Random random(11);
  for (const auto& [width, height] :
       {std::pair{1u, 1u}, {2u, 1u}, {1u, 7u}, {5u, 3u}, {64u, 16u}, {37u, 100u}}) {
    const std::vector<Image> levels =
        makeMipmaps(randomImage(random, width, height), Texels::light);
    std::uint32_t w = width;
    std::uint32_t h = height;
    for (const Image& level : levels) {
      CHECK((w > 1 || h > 1));
      w = std::max(w / 2, 1u);
      h = std::max(h / 2, 1u);
      CHECK(level.width == w);
      CHECK(level.height == h);
      CHECK(level.rgba.size() == std::size_t{4} * w * h);
    }
    CHECK(w == 1);
    CHECK(h == 1);
  }
}

TEST_CASE("mipmaps: every level has the image's mean, of light where texels are light") {
  Random random(12);
  for (const Texels texels : {Texels::light, Texels::stored})
    for (int i = 0; i < 20; ++i) {
      const Image image = randomImage(random, 1 + static_cast<std::uint32_t>(random.below(40)),
                                      1 + static_cast<std::uint32_t>(random.below(40)));
      for (const Image& level : makeMipmaps(image, texels))
        for (std::size_t c = 0; c < 4; ++c) {
          const double mean = computeMean(image, texels, c);
          // Roundings of several texels average out; that of one does not.
          CHECK(std::abs(computeMean(level, texels, c) - mean) <=
                (level.rgba.size() == 4 ? estimateRounding(texels, c, mean) : 0.01));
        }
    }
}

TEST_CASE("mipmaps: a plain image stays plain, and two by two texels become their mean") {
  for (const int code : {0, 1, 7, 100, 254, 255}) {
    const auto value = static_cast<std::uint8_t>(code);
    Image plain{13, 6, {}};
    plain.rgba.assign(std::size_t{4} * 13 * 6, value);
    for (const Texels texels : {Texels::light, Texels::stored})
      for (const Image& level : makeMipmaps(plain, texels))
        for (const std::uint8_t byte : level.rgba)
          CHECK(byte == value);
  }
  const Image four{2, 2, {0, 0, 10, 0, 255, 0, 20, 255, 0, 0, 30, 0, 255, 0, 40, 255}};
  CHECK(makeMipmaps(four, Texels::stored).at(0).rgba == std::vector<std::uint8_t>{128, 0, 25, 128});
  // Half of the light is 188 in sRGB.
  CHECK(makeMipmaps(four, Texels::light).at(0).rgba[0] == 188);
  CHECK(makeMipmaps(four, Texels::light).at(0).rgba[3] == 128);
}
