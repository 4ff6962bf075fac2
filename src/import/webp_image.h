// WebP images by libwebp. The module for browsers has no such library (src/wasm/substitutes.cpp).
#pragma once

#include "model/model.h"

#include <cstdint>
#include <string_view>

namespace sinew {

struct WebpSize {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

bool isWebp(std::string_view bytes);

// Reads the header alone. Throws std::runtime_error: damaged, animated.
WebpSize webpSize(std::string_view bytes);

// The whole image. Throws std::runtime_error: damaged, animated.
Image decodeWebp(std::string_view bytes);

} // namespace sinew
