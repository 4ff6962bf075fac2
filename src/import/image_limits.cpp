#include "import/image_limits.h"

#include <fmt/format.h>

#include <stdexcept>

namespace sinew {

void checkImageSize(std::uint64_t width, std::uint64_t height, const ImageLimits& limits) {
  if (width == 0 || height == 0) throw std::runtime_error("has no pixels");
  if (width > limits.maxSide || height > limits.maxSide)
    throw std::runtime_error(fmt::format("is too large: {} x {} pixels, the limit is {} a side",
                                         width, height, limits.maxSide));
  if (4 * width * height > limits.maxBytes)
    throw std::runtime_error(
        fmt::format("is too large: {} x {} pixels, for which {} MB are left to textures", width,
                    height, limits.maxBytes >> 20));
}

} // namespace sinew
