// Image files as pixels: PNG, JPEG, TGA, BMP, GIF and PSD by stb, WebP and DDS by image_codecs.h.
#pragma once

#include "import/scaled_image.h"
#include "model/model.h"

#include <string_view>

namespace sinew {

// Throws std::runtime_error with the reason alone (the caller knows which file) when the bytes are
// no image, are damaged, or hold an image beyond the limits that is not scaled either: a PNG is
// decoded row by row, others up to 64 million pixels.
Image decodeImage(std::string_view bytes, const ImageLimits& limits);

// The same exceptions for what the first bytes tell, without decoding, and the size.
ImageSize checkImage(std::string_view bytes, const ImageLimits& limits);

// The replacement for a missing image.
Image checkerboard();

} // namespace sinew
