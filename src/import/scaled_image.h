// How large an image may be, and images made smaller by a whole factor.
#pragma once

#include "model/model.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sinew {

// Compressed, an image may be a thousandth of its size, so a small file could ask for any amount of
// memory.
struct ImageLimits {
  std::uint32_t maxSide = 16384; // pixels
  std::uint64_t maxBytes = 0;    // at four bytes a pixel
  // Larger images of up to so many pixels are scaled while they are decoded; 0: none are.
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

// Takes the rows of the large image from the top, each of RGBA. A pixel is the mean of a square of
// pixels, which is smaller at the right and lower edge where the factor does not divide the size.
// The mean is that of the stored numbers, for it is not known here whether they are colours,
// normals or heights.
class ImageScaler {
 public:
  ImageScaler(std::uint32_t width, std::uint32_t height, const ImageSize& size);
  void add(std::span<const std::uint8_t> row);
  Image finish() { return std::move(image_); } // after the last row

 private:
  void writeRow();

  std::uint32_t width_, height_; // size of the large image
  std::uint32_t factor_;
  std::uint32_t rows_ = 0;          // rows taken
  std::vector<std::uint64_t> sums_; // sums of the row in progress
  Image image_;
};

Image scaledImage(const Image& image, const ImageSize& size);

} // namespace sinew
