#include "model/png.h"

#include "core/error.h"

#include <fmt/format.h>

#include <png.h>
#include <vector>

namespace sinew {
namespace {

std::vector<std::uint8_t> toRgb(const Image& image) {
  std::vector<std::uint8_t> rgb(image.rgba.size() / 4 * 3);
  for (std::size_t from = 0, to = 0; to < rgb.size(); from += 4, to += 3)
    for (std::size_t c = 0; c < 3; ++c)
      rgb[to + c] = image.rgba[from + c];
  return rgb;
}

} // namespace

bool isOpaque(const Image& image) {
  for (std::size_t i = 3; i < image.rgba.size(); i += 4)
    if (image.rgba[i] != 255) return false;
  return true;
}

std::string encodePng(const Image& image, PngEffort effort) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = image.width;
  header.height = image.height;
  header.format = PNG_FORMAT_RGBA;
  // Level 3 of zlib and no filter of rows: the fastest of those measured (docs/benchmarks.md).
  if (effort == PngEffort::fast) header.flags = PNG_IMAGE_FLAG_FAST;
  std::vector<std::uint8_t> rgb;
  const std::uint8_t* pixels = image.rgba.data();
  if (isOpaque(image)) {
    header.format = PNG_FORMAT_RGB;
    rgb = toRgb(image);
    pixels = rgb.data();
  }
  std::string bytes;
  if (!image.rgba.empty()) bytes.resize(PNG_IMAGE_PNG_SIZE_MAX(header));
  png_alloc_size_t size = bytes.size();
  if (image.rgba.empty() ||
      png_image_write_to_memory(&header, bytes.data(), &size, 0, pixels, 0, nullptr) == 0)
    throw usageError(fmt::format("a picture of {}x{} pixels cannot be written as PNG", image.width,
                                 image.height));
  bytes.resize(size);
  return bytes;
}

} // namespace sinew
