#include "import/scaled_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace sinew {

ImageScaler::ImageScaler(std::uint32_t width, std::uint32_t height, const ImageSize& size)
    : width_(width), height_(height), factor_(size.factor),
      sums_(std::size_t{4} * size.width), image_{size.width, size.height, {}} {
  image_.rgba.reserve(size.bytes());
}

void ImageScaler::add(std::span<const std::uint8_t> row) {
  std::size_t at = 0;
  for (std::size_t out = 0; out < sums_.size(); out += 4)
    for (std::uint32_t i = 0; i < factor_ && at < row.size(); ++i, at += 4)
      for (std::size_t c = 0; c < 4; ++c)
        sums_[out + c] += row[at + c];
  if (++rows_ % factor_ == 0 || rows_ == height_) writeRow();
}

void ImageScaler::writeRow() {
  const std::uint64_t high = (rows_ - 1) % factor_ + 1;
  for (std::size_t out = 0; out < sums_.size(); ++out) {
    const std::uint64_t left = out / 4 * factor_; // column of the large image
    const std::uint64_t count = high * std::min<std::uint64_t>(factor_, width_ - left);
    image_.rgba.push_back(static_cast<std::uint8_t>((sums_[out] + count / 2) / count));
    sums_[out] = 0;
  }
}

Image scaledImage(const Image& image, const ImageSize& size) {
  ImageScaler scaler(image.width, image.height, size);
  const std::size_t stride = std::size_t{4} * image.width;
  for (std::size_t y = 0; y < image.height; ++y)
    scaler.add(std::span(image.rgba).subspan(y * stride, stride));
  return scaler.finish();
}

ImageSize sizeWithin(std::uint64_t width, std::uint64_t height, const ImageLimits& limits) {
  if (width == 0 || height == 0) throw std::runtime_error("has no pixels");
  const auto scaled = [&](std::uint64_t factor) {
    const auto side = [&](std::uint64_t pixels) {
      return static_cast<std::uint32_t>((pixels + factor - 1) / factor);
    };
    return ImageSize{side(width), side(height), static_cast<std::uint32_t>(factor), width * height};
  };
  const std::uint64_t longest = std::max(width, height);
  if (longest <= limits.maxSide && 4 * width * height <= limits.maxBytes) return scaled(1);
  const std::uint64_t share = limits.maxBytes / 2;
  if (longest <= limits.maxScaledPixels && width * height <= limits.maxScaledPixels && share >= 4)
    for (std::uint64_t factor = (longest + limits.maxSide - 1) / limits.maxSide;; ++factor)
      if (const ImageSize size = scaled(factor); size.bytes() <= share) return size;
  if (longest > limits.maxSide)
    throw std::runtime_error(fmt::format("is too large: {} x {} pixels, the limit is {} a side",
                                         width, height, limits.maxSide));
  throw std::runtime_error(
      fmt::format("is too large: {} x {} pixels, for which {} MB are left to textures", width,
                  height, limits.maxBytes >> 20));
}

} // namespace sinew
