#include "import/webp_image.h"

#include <cstddef>
#include <stdexcept>
#include <webp/decode.h>

namespace sinew {
namespace {

const std::uint8_t* unsignedBytes(std::string_view bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

} // namespace

bool isWebp(std::string_view bytes) {
  return bytes.size() > 12 && bytes.starts_with("RIFF") && bytes.substr(8, 4) == "WEBP";
}

WebpSize webpSize(std::string_view bytes) {
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(unsignedBytes(bytes), bytes.size(), &features) != VP8_STATUS_OK)
    throw std::runtime_error("is damaged (no WebP header)");
  if (features.has_animation != 0) throw std::runtime_error("is an animated WebP image");
  return {static_cast<std::uint32_t>(features.width), static_cast<std::uint32_t>(features.height)};
}

Image decodeWebp(std::string_view bytes) {
  const auto [width, height] = webpSize(bytes);
  Image image{width, height, {}};
  image.rgba.resize(std::size_t{4} * width * height);
  if (WebPDecodeRGBAInto(unsignedBytes(bytes), bytes.size(), image.rgba.data(), image.rgba.size(),
                         static_cast<int>(4 * width)) == nullptr)
    throw std::runtime_error("is damaged (WebP)");
  return image;
}

} // namespace sinew
