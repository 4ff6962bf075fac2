#include "import/image_decoder.h"

#include <doctest/doctest.h>

#include <cstring>
#include <squish.h>
#include <stdexcept>

using namespace sinew;

namespace {

constexpr ImageLimits kLimits{16, 1000};

void put(std::string& bytes, std::size_t offset, std::uint32_t value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

std::string ddsHeader(std::uint32_t width, std::uint32_t height) {
  std::string bytes(128, '\0');
  std::memcpy(bytes.data(), "DDS ", 4);
  put(bytes, 4, 124);
  put(bytes, 12, height);
  put(bytes, 16, width);
  put(bytes, 76, 32);
  return bytes;
}

} // namespace

TEST_CASE("uncompressed DDS by channel masks") {
  std::string bytes = ddsHeader(2, 1);
  put(bytes, 80, 0x40);
  put(bytes, 88, 16);
  put(bytes, 92, 0xf800); // 5 bits of red, 6 of green, 5 of blue
  put(bytes, 96, 0x07e0);
  put(bytes, 100, 0x001f);
  bytes += std::string("\x00\xf8\xe0\x07", 4);
  const Image image = decodeImage(bytes, kLimits);
  CHECK(image.rgba == std::vector<std::uint8_t>{255, 0, 0, 255, 0, 255, 0, 255});
  CHECK_THROWS_AS(decodeImage(bytes.substr(0, bytes.size() - 1), kLimits), std::runtime_error);
  CHECK_THROWS_AS(decodeImage(bytes, {16, 7}), std::runtime_error); // two pixels are 8 bytes
  CHECK_THROWS_AS(decodeImage(bytes, {1, 100}), std::runtime_error);
}

TEST_CASE("block-compressed DDS gives back a plain colour") {
  for (const auto& kind : {std::pair{"DXT1", static_cast<int>(squish::kDxt1)},
                           std::pair{"DXT3", static_cast<int>(squish::kDxt3)},
                           std::pair{"DXT5", static_cast<int>(squish::kDxt5)}}) {
    const char* code = kind.first;
    const int flags = kind.second;
    CAPTURE(code);
    std::vector<std::uint8_t> pixels;
    for (int i = 0; i < 8 * 4; ++i)
      pixels.insert(pixels.end(), {255, 0, 0, 255});
    std::string bytes = ddsHeader(8, 4);
    put(bytes, 80, 4);
    std::memcpy(bytes.data() + 84, code, 4);
    std::string blocks(static_cast<std::size_t>(squish::GetStorageRequirements(8, 4, flags)), '\0');
    squish::CompressImage(pixels.data(), 8, 4, blocks.data(), flags);
    CHECK(decodeImage(bytes + blocks, kLimits).rgba == pixels);
    CHECK_THROWS_AS(decodeImage(bytes, kLimits), std::runtime_error);
  }
}

TEST_CASE("what is no image says so") {
  CHECK_THROWS_AS(decodeImage("hello", kLimits), std::runtime_error);
  CHECK_THROWS_AS(decodeImage("", kLimits), std::runtime_error);
  CHECK(checkerboard().rgba.size() == 4u * checkerboard().width * checkerboard().height);
}
