// Images as PNG files, by libpng.
#pragma once

#include "model/model.h"

#include <string>

namespace sinew {

// Whether no pixel lets anything through.
bool isOpaque(const Image& image);

// What a file is written for: at once, or to be small (a third smaller, in six times the time).
enum class PngEffort { fast, small };

// A whole PNG file: RGB where every pixel is opaque, else RGBA. Throws usageError for an image
// without pixels.
std::string encodePng(const Image& image, PngEffort effort = PngEffort::fast);

} // namespace sinew
