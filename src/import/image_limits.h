// How large an image may be. Compressed, it may be a thousandth of that, so a small file could ask
// for any amount of memory.
#pragma once

#include <cstdint>
#include <string>

namespace sinew {

struct ImageLimits {
  std::uint32_t maxSide = 16384; // pixels
  std::uint64_t maxBytes = 0;    // of four channels
  // Of an image beyond these, which is then scaled while it is decoded; 0: none is.
  std::uint64_t maxScaledPixels = 0;
};

struct ImageSize {
  std::uint32_t width = 0; // as it is read, pixels
  std::uint32_t height = 0;
  std::uint32_t factor = 1; // a pixel is the mean of so many by so many
  std::uint64_t pixels = 0; // in the file

  std::uint64_t bytes() const { return std::uint64_t{4} * width * height; }
};

// The size that an image of the file's size is read at: its own within the limits; beyond them the
// smallest whole factor that makes its sides small enough, and leaves half of the bytes to other
// images. Throws std::runtime_error, without the file's name, for an image of no pixels, and for
// one beyond the limits that cannot be scaled either.
ImageSize sizeWithin(std::uint64_t width, std::uint64_t height, const ImageLimits& limits);

} // namespace sinew
