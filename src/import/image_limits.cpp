#include "import/image_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace sinew {

ImageSize sizeWithin(std::uint64_t width, std::uint64_t height, const ImageLimits& limits) {
  if (width == 0 || height == 0) throw std::runtime_error("has no pixels");
  const auto scaled = [&](std::uint64_t factor) {
    const auto side = [&](std::uint64_t pixels) {
      return static_cast<std::uint32_t>((pixels + factor - 1) / factor);
    };
    return ImageSize{side(width), side(height), static_cast<std::uint32_t>(factor), width * height};
  };
  const std::uint64_t longest = std::max(width, height);
  if (longest <= limits.maxSide && 4 * width * height <= limits.maxBytes) return scaled(1);
  const std::uint64_t share = limits.maxBytes / 2;
  if (longest <= limits.maxScaledPixels && width * height <= limits.maxScaledPixels && share >= 4)
    for (std::uint64_t factor = (longest + limits.maxSide - 1) / limits.maxSide;; ++factor)
      if (const ImageSize size = scaled(factor); size.bytes() <= share) return size;
  if (longest > limits.maxSide)
    throw std::runtime_error(fmt::format("is too large: {} x {} pixels, the limit is {} a side",
                                         width, height, limits.maxSide));
  throw std::runtime_error(
      fmt::format("is too large: {} x {} pixels, for which {} MB are left to textures", width,
                  height, limits.maxBytes >> 20));
}

} // namespace sinew
