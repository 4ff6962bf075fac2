// Images made smaller by a whole factor: each pixel is the mean of a square of pixels, which is
// smaller at the right and lower edge where the factor does not divide the size. The mean is that
// of the stored numbers, for it is not known here whether they are colours, normals or heights.
#pragma once

#include "import/image_limits.h"
#include "model/model.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew {

// Takes the rows of the large image from the top, each of RGBA.
class ImageScaler {
 public:
  ImageScaler(std::uint32_t width, std::uint32_t height, const ImageSize& size);
  void add(std::span<const std::uint8_t> row);
  Image finish() { return std::move(image_); } // after the last row

 private:
  void writeRow();

  std::uint32_t width_, height_; // of the large image
  std::uint32_t factor_;
  std::uint32_t rows_ = 0;          // taken
  std::vector<std::uint64_t> sums_; // of the row under way
  Image image_;
};

Image scaledImage(const Image& image, const ImageSize& size);

// A PNG of any size, row by row, so that only one is in memory; not an interlaced one, whose rows
// come in another order. Throws std::runtime_error for one that is damaged.
Image decodeScaledPng(std::string_view bytes, const ImageSize& size);

} // namespace sinew
