#include "page/page_textures.h"

#include <algorithm>

namespace sinew {
namespace {

// The mean of two by two pixels; of an odd side the last one counts twice.
Image halved(const Image& image) {
  Image out{std::max(image.width / 2, 1u), std::max(image.height / 2, 1u), {}};
  out.rgba.reserve(std::size_t{4} * out.width * out.height);
  const auto at = [&](std::uint32_t x, std::uint32_t y, std::uint32_t channel) {
    x = std::min(x, image.width - 1);
    y = std::min(y, image.height - 1);
    return std::uint32_t{image.rgba[4 * (std::size_t{y} * image.width + x) + channel]};
  };
  for (std::uint32_t y = 0; y < out.height; ++y)
    for (std::uint32_t x = 0; x < out.width; ++x)
      for (std::uint32_t c = 0; c < 4; ++c)
        out.rgba.push_back(
            static_cast<std::uint8_t>((at(2 * x, 2 * y, c) + at(2 * x + 1, 2 * y, c) +
                                       at(2 * x, 2 * y + 1, c) + at(2 * x + 1, 2 * y + 1, c) + 2) /
                                      4));
  return out;
}

} // namespace

Image limitedImage(const Texture& texture, std::uint32_t largest) {
  Image image = texture.image;
  while (std::max(image.width, image.height) > largest)
    image = halved(image);
  return image;
}

} // namespace sinew
