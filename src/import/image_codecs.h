// Images of the kinds that stb does not read, or not in parts. These throw std::runtime_error with
// the reason alone, as decodeImage() does. The module for browsers has no libwebp and no libpng
// (src/wasm/substitutes.cpp).
#pragma once

#include "import/scaled_image.h"

#include <cstdint>
#include <string_view>

namespace sinew {

struct PixelCounts {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

// DDS: uncompressed by channel masks, BC1 to BC3 (DXT1 to DXT5), by our own reader of the header
// with libsquish for the compressed blocks. The first, largest image of the file: its size as the
// header tells, and all of it, whatever its size.
PixelCounts ddsSize(std::string_view bytes);
Image decodeDds(std::string_view bytes);

// WebP by libwebp, not animated: what the header tells, and the whole image.
PixelCounts webpSize(std::string_view bytes);
Image decodeWebp(std::string_view bytes);

// A PNG of any size, row by row, so that only one is in memory; not an interlaced one, whose rows
// come in another order.
Image decodeScaledPng(std::string_view bytes, const ImageSize& size);

} // namespace sinew
