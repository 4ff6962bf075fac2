#include "page/page_textures.h"

#include "core/error.h"
#include "core/file.h"
#include "model/png.h"

#include <fmt/format.h>
#include <stb/stb_image_write.h>

#include <algorithm>
#include <filesystem>

namespace sinew {
namespace {

constexpr int kQuality = 92; // of JPEG: no difference that is seen
// A texture of fewer bytes is not worth a loss.
constexpr std::size_t kSmall = 200000;

// The mean of two by two pixels; of an odd side the last one counts twice.
Image halved(const Image& image) {
  Image out{std::max(image.width / 2, 1u), std::max(image.height / 2, 1u), {}};
  out.rgba.reserve(std::size_t{4} * out.width * out.height);
  const auto at = [&](std::uint32_t x, std::uint32_t y, std::uint32_t channel) {
    x = std::min(x, image.width - 1);
    y = std::min(y, image.height - 1);
    return std::uint32_t{image.rgba[4 * (std::size_t{y} * image.width + x) + channel]};
  };
  for (std::uint32_t y = 0; y < out.height; ++y)
    for (std::uint32_t x = 0; x < out.width; ++x)
      for (std::uint32_t c = 0; c < 4; ++c)
        out.rgba.push_back(
            static_cast<std::uint8_t>((at(2 * x, 2 * y, c) + at(2 * x + 1, 2 * y, c) +
                                       at(2 * x, 2 * y + 1, c) + at(2 * x + 1, 2 * y + 1, c) + 2) /
                                      4));
  return out;
}

std::string jpegOf(const Image& image) {
  std::string bytes;
  const auto append = [](void* out, void* data, int size) {
    static_cast<std::string*>(out)->append(static_cast<const char*>(data),
                                           static_cast<std::size_t>(size));
  };
  if (stbi_write_jpg_to_func(append, &bytes, static_cast<int>(image.width),
                             static_cast<int>(image.height), 4, image.rgba.data(), kQuality) == 0)
    throw usageError(fmt::format("a picture of {}x{} pixels cannot be written as JPEG", image.width,
                                 image.height));
  return bytes;
}

// By its first bytes; empty for anything else.
std::string mimeOf(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return "image/png";
  if (bytes.starts_with("\xff\xd8\xff")) return "image/jpeg";
  return {};
}

EncodedTexture fileOf(const Texture& texture) {
  std::error_code error;
  if (!texture.found || !std::filesystem::is_regular_file(texture.source, error)) return {};
  EncodedTexture file{{}, readFile(texture.source)};
  file.mime = mimeOf(file.bytes);
  return file;
}

} // namespace

EncodedTexture encodeTexture(const Texture& texture, std::uint32_t largest, bool exact) {
  const bool fits = std::max(texture.image.width, texture.image.height) <= largest;
  if (EncodedTexture file = fits ? fileOf(texture) : EncodedTexture(); !file.mime.empty())
    return file;
  const Image image = limitedImage(texture, largest);
  EncodedTexture out{"image/png", pngOf(image, PngEffort::small)};
  if (exact || out.bytes.size() < kSmall || !isOpaque(image)) return out;
  std::string jpeg = jpegOf(image);
  if (jpeg.size() < out.bytes.size() / 2) out = {"image/jpeg", std::move(jpeg)};
  return out;
}

Image limitedImage(const Texture& texture, std::uint32_t largest) {
  Image image = texture.image;
  while (std::max(image.width, image.height) > largest)
    image = halved(image);
  return image;
}

} // namespace sinew
