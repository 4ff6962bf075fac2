// Image files as pixels: PNG, JPEG, TGA, BMP, GIF and PSD by stb, DDS by our own reader of its
// header with libsquish for the compressed blocks.
#pragma once

#include "model/model.h"

#include <cstdint>
#include <string_view>

namespace sinew {

// Throws std::runtime_error with the reason alone (the caller knows which file) when the bytes are
// no image, are damaged, or hold more than maxPixels.
Image decodeImage(std::string_view bytes, std::uint64_t maxPixels);

// DDS: uncompressed by channel masks, BC1 to BC3 (DXT1 to DXT5). The first, largest image of it.
Image decodeDds(std::string_view bytes, std::uint64_t maxPixels);

// What stands in for an image that is missing.
Image checkerboard();

} // namespace sinew
