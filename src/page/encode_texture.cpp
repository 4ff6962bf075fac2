#include "core/error.h"
#include "core/file.h"
#include "model/png.h"
#include "page/page_textures.h"

#include <fmt/format.h>
#include <stb/stb_image_write.h>

#include <algorithm>
#include <filesystem>

namespace sinew {
namespace {

constexpr int kQuality = 92; // JPEG quality without a visible difference
// A texture of fewer bytes is not worth a loss.
constexpr std::size_t kSmall = 200000;

std::string encodeJpeg(const Image& image) {
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

// Reads the type from the first bytes; empty for anything else.
std::string detectMimeType(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return "image/png";
  if (bytes.starts_with("\xff\xd8\xff")) return "image/jpeg";
  return {};
}

EncodedTexture readTextureFile(const Texture& texture) {
  std::error_code error;
  if (!texture.found || !std::filesystem::is_regular_file(texture.source, error)) return {};
  EncodedTexture file{{}, readFile(texture.source)};
  file.mime = detectMimeType(file.bytes);
  return file;
}

} // namespace

EncodedTexture encodeTexture(const Texture& texture, std::uint32_t largest, bool exact) {
  const bool fits = std::max(texture.image.width, texture.image.height) <= largest;
  if (EncodedTexture file = fits ? readTextureFile(texture) : EncodedTexture(); !file.mime.empty())
    return file;
  const Image image = limitedImage(texture, largest);
  EncodedTexture out{"image/png", encodePng(image, PngEffort::small)};
  if (exact || out.bytes.size() < kSmall || !isOpaque(image)) return out;
  std::string jpeg = encodeJpeg(image);
  if (jpeg.size() < out.bytes.size() / 2) out = {"image/jpeg", std::move(jpeg)};
  return out;
}

} // namespace sinew
