// DDS images: uncompressed by channel masks, BC1 to BC3 (DXT1 to DXT5), by our own reader of the
// header with libsquish for the compressed blocks.
#pragma once

#include "import/image_limits.h"
#include "model/model.h"

#include <string_view>

namespace sinew {

// The first, largest image of the file. Throws std::runtime_error as decodeImage() does.
Image decodeDds(std::string_view bytes, const ImageLimits& limits);

// The same exceptions for what the header tells, without decoding.
void checkDds(std::string_view bytes, const ImageLimits& limits);

} // namespace sinew
