#include "import/image_channels.h"

#include "import/texture_reader.h"

namespace sinew {
namespace {

bool hasPixels(const Image* image) {
  return image != nullptr && !image->rgba.empty();
}

// The first byte of the pixel that lies there in an image of width x height.
std::size_t pixelAt(const Image& image, std::uint32_t x, std::uint32_t y, std::uint32_t width,
                    std::uint32_t height) {
  const std::uint64_t column = std::uint64_t{x} * image.width / width;
  const std::uint64_t row = std::uint64_t{y} * image.height / height;
  return static_cast<std::size_t>(4 * (row * image.width + column));
}

bool isSeeThrough(const Image& image) {
  for (std::size_t i = 3; i < image.rgba.size(); i += 4)
    if (image.rgba[i] < 255) return true;
  return false;
}

} // namespace

Image surfaceImage(const Image* roughness, const Image* metalness, std::uint32_t width,
                   std::uint32_t height) {
  Image out{width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height, 255)};
  std::size_t i = 0;
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x, i += 4) {
      if (hasPixels(roughness))
        out.rgba[i + 1] = roughness->rgba[pixelAt(*roughness, x, y, width, height)];
      if (hasPixels(metalness))
        out.rgba[i + 2] = metalness->rgba[pixelAt(*metalness, x, y, width, height)];
    }
  return out;
}

Image opacityImage(const Image* color, const Image* opacity, std::uint32_t width,
                   std::uint32_t height) {
  Image out{width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height, 255)};
  const bool byAlpha = hasPixels(opacity) && isSeeThrough(*opacity);
  std::size_t i = 0;
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x, i += 4) {
      if (hasPixels(color)) {
        const std::size_t from = pixelAt(*color, x, y, width, height);
        for (std::size_t c = 0; c < 3; ++c)
          out.rgba[i + c] = color->rgba[from + c];
      }
      if (!hasPixels(opacity)) continue;
      const std::size_t from = pixelAt(*opacity, x, y, width, height);
      const auto channel = [&](std::size_t c) { return unsigned{opacity->rgba[from + c]}; };
      out.rgba[i + 3] = static_cast<std::uint8_t>(
          byAlpha ? channel(3) : (channel(0) + channel(1) + channel(2)) / 3);
    }
  return out;
}

AlphaMode chooseAlphaMode(const Image& image) {
  if (hasCutout(image)) return AlphaMode::mask;
  std::size_t seeThrough = 0;
  for (std::size_t i = 3; i < image.rgba.size(); i += 4)
    if (image.rgba[i] < 240) ++seeThrough;
  return seeThrough * 800 > image.rgba.size() ? AlphaMode::blend : AlphaMode::opaque;
}

} // namespace sinew
