#include "import/image_decoder.h"

#include "import/image_codecs.h"

#include <fmt/format.h>
#include <stb/stb_image.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>

namespace sinew {
namespace {

std::uint32_t bigEndian32(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

constexpr std::string_view kPng = "\x89PNG\r\n\x1a\n";
// The largest image that is decoded in full before it is scaled down, in pixels.
constexpr std::uint64_t kMaxFullDecode = std::uint64_t{1} << 26;

// Whether the IDAT chunks of a PNG are larger than the uncompressed image could be. stb would
// inflate all of them, to up to a thousand times their size.
bool isDecompressionBomb(std::string_view bytes, std::uint64_t pixels) {
  if (!bytes.starts_with(kPng)) return false;
  constexpr std::uint64_t kBytesPerPixel = 8; // four channels of 16 bits
  const std::uint64_t longest = 65536 + 2 * kBytesPerPixel * pixels;
  std::uint64_t compressed = 0;
  constexpr std::uint64_t kFrame = 12; // length, name and checksum of a chunk
  for (std::uint64_t at = kPng.size(); at + kFrame <= bytes.size();) {
    const std::uint32_t length = bigEndian32(bytes, at);
    if (bytes.substr(at + 4, 4) == "IDAT") compressed += length;
    at += kFrame + length;
  }
  return compressed > longest;
}

// PNG that is not interlaced.
bool canDecodeByRow(std::string_view bytes) {
  constexpr std::size_t kInterlace = 28;
  return bytes.starts_with(kPng) && bytes.size() > kInterlace && bytes[kInterlace] == 0;
}

bool isWebp(std::string_view bytes) {
  return bytes.size() > 12 && bytes.starts_with("RIFF") && bytes.substr(8, 4) == "WEBP";
}

PixelCounts readHeader(std::string_view bytes) {
  if (bytes.starts_with("DDS ")) return ddsSize(bytes);
  if (isWebp(bytes)) return webpSize(bytes);
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw std::runtime_error("is too large");
  int width = 0;
  int height = 0;
  int channels = 0;
  if (stbi_info_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()),
                            static_cast<int>(bytes.size()), &width, &height, &channels) == 0)
    throw std::runtime_error("is not an image of a known kind (PNG, JPEG, TGA, BMP, DDS, WebP)");
  const PixelCounts counts{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
  if (isDecompressionBomb(bytes, std::uint64_t{counts.width} * counts.height))
    throw std::runtime_error("is damaged (more image data than its dimensions allow)");
  return counts;
}

// The whole image, whatever its size.
Image decodeWhole(std::string_view bytes) {
  if (bytes.starts_with("DDS ")) return decodeDds(bytes);
  if (isWebp(bytes)) return decodeWebp(bytes);
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int size = static_cast<int>(bytes.size());
  int width = 0;
  int height = 0;
  int channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load_from_memory(data, size, &width, &height, &channels, 4), stbi_image_free);
  if (pixels == nullptr)
    throw std::runtime_error(fmt::format("is damaged ({})", stbi_failure_reason()));
  Image image;
  image.width = static_cast<std::uint32_t>(width);
  image.height = static_cast<std::uint32_t>(height);
  const std::size_t count = std::size_t{4} * image.width * image.height;
  image.rgba.assign(pixels.get(), pixels.get() + count);
  return image;
}

} // namespace

ImageSize checkImage(std::string_view bytes, const ImageLimits& limits) {
  const auto [width, height] = readHeader(bytes);
  ImageLimits possible = limits;
  if (!canDecodeByRow(bytes))
    possible.maxScaledPixels = std::min(limits.maxScaledPixels, kMaxFullDecode);
  return sizeWithin(width, height, possible);
}

Image decodeImage(std::string_view bytes, const ImageLimits& limits) {
  const ImageSize size = checkImage(bytes, limits);
  if (size.factor == 1) return decodeWhole(bytes);
  if (canDecodeByRow(bytes)) return decodeScaledPng(bytes, size);
  return scaledImage(decodeWhole(bytes), size);
}

Image checkerboard() {
  constexpr std::uint32_t kSize = 64;
  constexpr std::uint32_t kSquare = 8;
  Image image{kSize, kSize, {}};
  image.rgba.reserve(std::size_t{4} * kSize * kSize);
  for (std::uint32_t y = 0; y < kSize; ++y)
    for (std::uint32_t x = 0; x < kSize; ++x) {
      const bool light = (x / kSquare + y / kSquare) % 2 == 0;
      const std::uint8_t level = light ? 208 : 128;
      image.rgba.insert(image.rgba.end(),
                        {level, static_cast<std::uint8_t>(level - 24), level, 255});
    }
  return image;
}

} // namespace sinew
