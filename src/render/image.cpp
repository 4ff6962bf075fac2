#include "render/image.h"

#include "core/error.h"
#include "core/file.h"

#include <fmt/format.h>
#include <stb/stb_image.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>
#include <memory>

namespace sinew {
namespace {

constexpr std::uint64_t kMaxPngBytes = std::uint64_t{1} << 30;

// Largest difference of the four channels of pixel i.
int pixelDifference(const Image& a, const Image& b, std::size_t i) {
  int largest = 0;
  for (std::size_t c = 4 * i; c < 4 * i + 4; ++c)
    largest = std::max(largest, std::abs(a.rgba[c] - b.rgba[c]));
  return largest;
}

void checkSizes(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height)
    throw usageError(fmt::format("pictures of different size, {}x{} and {}x{}, cannot be compared",
                                 a.width, a.height, b.width, b.height),
                     "render with the reference's --size");
}

} // namespace

void writePng(const std::filesystem::path& path, const Image& image) {
  writeFile(path, encodePng(image));
}

Image readPng(const std::filesystem::path& path) {
  const std::string bytes = readFile(path, kMaxPngBytes);
  if (!bytes.starts_with("\x89PNG\r\n\x1a\n")) throw inputError(path.string(), "is no PNG");
  int width = 0;
  int height = 0;
  int channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()),
                            static_cast<int>(bytes.size()), &width, &height, &channels, 4),
      stbi_image_free);
  if (!pixels)
    throw inputError(path.string(), fmt::format("is no readable PNG ({})", stbi_failure_reason()));
  Image image{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), {}};
  image.rgba.assign(pixels.get(), pixels.get() + std::size_t{4} * image.width * image.height);
  return image;
}

ImageDifference difference(const Image& a, const Image& b) {
  checkSizes(a, b);
  const std::size_t pixels = std::size_t{a.width} * a.height;
  ImageDifference out;
  if (pixels == 0) return out;
  std::size_t changed = 0;
  for (std::size_t i = 0; i < pixels; ++i) {
    const int d = pixelDifference(a, b, i);
    out.mean += d / 255.0;
    if (d > 8) ++changed;
  }
  out.mean /= static_cast<double>(pixels);
  out.changedFraction = static_cast<double>(changed) / static_cast<double>(pixels);
  return out;
}

Image differenceImage(const Image& a, const Image& b) {
  checkSizes(a, b);
  constexpr int kBrighter = 4;
  Image out{a.width, a.height, {}};
  out.rgba.resize(a.rgba.size(), 255);
  for (std::size_t i = 0; i < a.rgba.size(); ++i)
    if (i % 4 != 3)
      out.rgba[i] =
          static_cast<std::uint8_t>(std::min(255, kBrighter * std::abs(a.rgba[i] - b.rgba[i])));
  return out;
}

} // namespace sinew
