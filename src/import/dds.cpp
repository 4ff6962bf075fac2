// DDS after Microsoft's "Programming guide for DDS": a 128-byte header, 20 more bytes when the
// format is named by DXGI, then the largest image first.
#include "import/image_codecs.h"
#include "import/load_value.h"

#include <array>
#include <bit>
#include <cstring>
#include <squish.h>
#include <stdexcept>

namespace sinew {
namespace {

constexpr std::size_t kHeaderBytes = 128;
constexpr std::size_t kDxgiBytes = 20;
constexpr std::uint32_t kAlphaPixels = 0x1;
constexpr std::uint32_t kFourCc = 0x4;
constexpr std::uint32_t kLuminance = 0x20000;

std::uint32_t word(std::string_view bytes, std::size_t offset) {
  return loadValue<std::uint32_t>(bytes.data() + offset);
}

constexpr std::uint32_t fourCc(const char (&name)[5]) {
  return static_cast<std::uint32_t>(name[0]) | static_cast<std::uint32_t>(name[1]) << 8 |
         static_cast<std::uint32_t>(name[2]) << 16 | static_cast<std::uint32_t>(name[3]) << 24;
}

struct Layout {
  int squishFlags = 0;                 // 0: uncompressed
  std::uint32_t bits = 0;              // per pixel
  std::array<std::uint32_t, 4> mask{}; // red, green, blue, alpha
  std::size_t dataOffset = kHeaderBytes;
};

Layout fromDxgi(std::uint32_t format) {
  Layout layout;
  layout.dataOffset = kHeaderBytes + kDxgiBytes;
  switch (format) {
  case 71:
  case 72:
    layout.squishFlags = squish::kDxt1;
    break;
  case 74:
  case 75:
    layout.squishFlags = squish::kDxt3;
    break;
  case 77:
  case 78:
    layout.squishFlags = squish::kDxt5;
    break;
  case 28:
  case 29: // R8G8B8A8
    layout.bits = 32;
    layout.mask = {0xff, 0xff00, 0xff0000, 0xff000000};
    break;
  case 87:
  case 91: // B8G8R8A8
    layout.bits = 32;
    layout.mask = {0xff0000, 0xff00, 0xff, 0xff000000};
    break;
  default:
    throw std::runtime_error("is a DDS of a format that is not read (only 8-bit and BC1-3)");
  }
  return layout;
}

Layout readLayout(std::string_view bytes) {
  const std::uint32_t flags = word(bytes, 80);
  const std::uint32_t code = word(bytes, 84);
  Layout layout;
  if ((flags & kFourCc) != 0) {
    if (code == fourCc("DXT1"))
      layout.squishFlags = squish::kDxt1;
    else if (code == fourCc("DXT2") || code == fourCc("DXT3"))
      layout.squishFlags = squish::kDxt3;
    else if (code == fourCc("DXT4") || code == fourCc("DXT5"))
      layout.squishFlags = squish::kDxt5;
    else if (code == fourCc("DX10") && bytes.size() >= kHeaderBytes + kDxgiBytes)
      layout = fromDxgi(word(bytes, kHeaderBytes));
    else
      throw std::runtime_error("is a DDS of a format that is not read (only 8-bit and BC1-3)");
    return layout;
  }
  layout.bits = word(bytes, 88);
  for (std::size_t i = 0; i < 4; ++i)
    layout.mask[i] = word(bytes, 92 + 4 * i);
  if ((flags & kLuminance) != 0) layout.mask[1] = layout.mask[2] = layout.mask[0];
  if ((flags & kAlphaPixels) == 0) layout.mask[3] = 0;
  if (layout.bits != 8 && layout.bits != 16 && layout.bits != 24 && layout.bits != 32)
    throw std::runtime_error("is a DDS with an impossible pixel size");
  return layout;
}

// The bits of a channel, stretched to 0..255.
std::uint8_t channel(std::uint32_t pixel, std::uint32_t mask, std::uint8_t otherwise) {
  if (mask == 0) return otherwise;
  const int shift = std::countr_zero(mask);
  const std::uint64_t max = mask >> shift;
  return static_cast<std::uint8_t>(((pixel & mask) >> shift) * std::uint64_t{255} / max);
}

void unpack(std::string_view data, const Layout& layout, Image& image) {
  const std::size_t step = layout.bits / 8;
  const std::size_t pixels = std::size_t{image.width} * image.height;
  if (data.size() < pixels * step) throw std::runtime_error("is a DDS cut short");
  for (std::size_t i = 0; i < pixels; ++i) {
    std::uint32_t pixel = 0;
    std::memcpy(&pixel, data.data() + i * step, step);
    for (std::size_t c = 0; c < 4; ++c)
      image.rgba[4 * i + c] = channel(pixel, layout.mask[c], c == 3 ? 255 : 0);
  }
}

// A word of the header.
std::uint32_t headerWord(std::string_view bytes, std::size_t offset) {
  if (bytes.size() < kHeaderBytes || !bytes.starts_with("DDS "))
    throw std::runtime_error("is a DDS cut short");
  return word(bytes, offset);
}

} // namespace

PixelCounts ddsSize(std::string_view bytes) {
  return {headerWord(bytes, 16), headerWord(bytes, 12)};
}

Image decodeDds(std::string_view bytes) {
  const PixelCounts size = ddsSize(bytes);
  Image image{size.width, size.height, {}};
  const Layout layout = readLayout(bytes);
  const std::string_view data = bytes.substr(layout.dataOffset);
  const auto width = static_cast<int>(image.width);
  const auto height = static_cast<int>(image.height);
  if (layout.squishFlags != 0 &&
      data.size() < static_cast<std::size_t>(
                        squish::GetStorageRequirements(width, height, layout.squishFlags)))
    throw std::runtime_error("is a DDS cut short");
  if (layout.squishFlags == 0 &&
      data.size() < std::size_t{image.width} * image.height * (layout.bits / 8))
    throw std::runtime_error("is a DDS cut short");
  image.rgba.resize(std::size_t{4} * image.width * image.height);
  if (layout.squishFlags != 0)
    squish::DecompressImage(image.rgba.data(), width, height, data.data(), layout.squishFlags);
  else
    unpack(data, layout, image);
  return image;
}

} // namespace sinew
