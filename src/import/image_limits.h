// How large an image may be. Compressed, it may be a thousandth of that, so a small file could ask
// for any amount of memory.
#pragma once

#include <cstdint>
#include <string>

namespace sinew {

struct ImageLimits {
  std::uint32_t maxSide = 16384; // pixels
  std::uint64_t maxBytes = 0;    // of four channels
};

// Throws std::runtime_error, without the file's name, for an image of no pixels or beyond the
// limits.
void checkImageSize(std::uint64_t width, std::uint64_t height, const ImageLimits& limits);

} // namespace sinew
