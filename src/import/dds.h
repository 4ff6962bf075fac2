// DDS images: uncompressed by channel masks, BC1 to BC3 (DXT1 to DXT5), by our own reader of the
// header with libsquish for the compressed blocks.
#pragma once

#include "model/model.h"

#include <string_view>

namespace sinew {

// Of the first, largest image of the file, as the header tells. These throw std::runtime_error as
// decodeImage() does.
std::uint32_t ddsWidth(std::string_view bytes);
std::uint32_t ddsHeight(std::string_view bytes);

// That image, whatever its size.
Image decodeDds(std::string_view bytes);

} // namespace sinew
