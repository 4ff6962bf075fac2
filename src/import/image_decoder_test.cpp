#include "core/random.h"
#include "import/image_codecs.h"
#include "import/image_decoder.h"
#include "model/png.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <squish.h>
#include <stdexcept>
#include <zlib.h>

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

Image randomImage(std::uint32_t width, std::uint32_t height, Random& random) {
  Image image{width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height)};
  for (std::uint8_t& value : image.rgba)
    value = static_cast<std::uint8_t>(random.below(256));
  return image;
}

// The mean of a channel over a square, as it is defined.
int computeMean(const Image& image, std::uint32_t left, std::uint32_t top, std::uint32_t factor,
                std::uint32_t channel) {
  double sum = 0.0;
  int count = 0;
  for (std::uint32_t y = top; y < std::min(top + factor, image.height); ++y)
    for (std::uint32_t x = left; x < std::min(left + factor, image.width); ++x, ++count)
      sum += image.rgba[std::size_t{4} * (y * image.width + x) + channel];
  return static_cast<int>(std::lround(sum / count));
}

std::string bigEndian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes += static_cast<char>(value >> shift & 255);
  return bytes;
}

std::string pngChunk(const std::string& nameAndData) {
  const auto crc = ::crc32(0, reinterpret_cast<const Bytef*>(nameAndData.data()),
                           static_cast<uInt>(nameAndData.size()));
  return bigEndian(static_cast<std::uint32_t>(nameAndData.size() - 4)) + nameAndData +
         bigEndian(static_cast<std::uint32_t>(crc));
}

// A PNG with one channel of so many bits and random pixels; interlaced if its header says so.
std::string grayPng(std::uint32_t width, std::uint32_t height, int bits, bool interlaced,
                    Random& random) {
  std::string rows;
  for (std::uint32_t y = 0; y < height; ++y) {
    rows += '\0';
    for (std::uint32_t i = 0; i < (width * static_cast<std::uint32_t>(bits) + 7) / 8; ++i)
      rows += static_cast<char>(random.below(256));
  }
  uLongf size = ::compressBound(rows.size());
  std::string packed(size, '\0');
  REQUIRE(::compress(reinterpret_cast<Bytef*>(packed.data()), &size,
                     reinterpret_cast<const Bytef*>(rows.data()), rows.size()) == Z_OK);
  packed.resize(size);
  const std::string kind{static_cast<char>(bits), 0, 0, 0, static_cast<char>(interlaced ? 1 : 0)};
  return "\x89PNG\r\n\x1a\n" + pngChunk("IHDR" + bigEndian(width) + bigEndian(height) + kind) +
         pngChunk("IDAT" + packed) + pngChunk("IEND");
}

} // namespace

TEST_CASE("images beyond the limits are scaled by the smallest factor, each pixel a mean") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Image image = randomImage(1 + random.below(40), 1 + random.below(40), random);
    const ImageLimits limits{1 + random.below(12), 8 + random.below(4000), 10'000};
    const ImageSize size = sizeWithin(image.width, image.height, limits);
    const Image scaled = decodeImage(encodePng(image), limits);
    REQUIRE(scaled.width == size.width);
    REQUIRE(scaled.height == size.height);
    REQUIRE(scaled.rgba.size() == size.bytes());
    CHECK(std::max(size.width, size.height) <= limits.maxSide);
    CHECK(size.bytes() <= limits.maxBytes);
    if (size.factor > 1) {
      const auto side = [&](std::uint32_t pixels) { // by the next smaller factor
        return (pixels + size.factor - 2) / (size.factor - 1);
      };
      const std::uint64_t w = side(image.width);
      const std::uint64_t h = side(image.height);
      CHECK((std::max(w, h) > limits.maxSide || 4 * w * h > limits.maxBytes / 2));
    }
    for (std::uint32_t y = 0; y < scaled.height; ++y)
      for (std::uint32_t x = 0; x < scaled.width; ++x)
        for (std::uint32_t c = 0; c < 4; ++c)
          CHECK(static_cast<int>(scaled.rgba[std::size_t{4} * (y * scaled.width + x) + c]) ==
                computeMean(image, x * size.factor, y * size.factor, size.factor, c));
  }
}

TEST_CASE("a PNG that is scaled row by row is the one that is scaled as a whole") {
  Random random(7);
  for (const int bits : {1, 2, 4, 8, 16}) {
    CAPTURE(bits);
    const std::string png = grayPng(37, 23, bits, false, random);
    const Image whole = decodeImage(png, {100, 100'000});
    const ImageLimits limits{8, 100'000, 100'000};
    const ImageSize size = checkImage(png, limits);
    CHECK(size.factor == 5);
    CHECK(decodeScaledPng(png, size).rgba == scaledImage(whole, size).rgba);
    CHECK(decodeImage(png, limits).rgba == scaledImage(whole, size).rgba);
    for (std::size_t cut = 30; cut < png.size() - 12; cut += 7)
      CHECK_THROWS_AS(decodeImage(png.substr(0, cut), limits), std::runtime_error);
  }
  // A column as long as images can be.
  const std::string column = grayPng(1, 3'000'000, 8, false, random);
  const Image scaled = decodeImage(column, {16384, 1 << 20, 1 << 22});
  CHECK(scaled.width == 1);
  CHECK(scaled.height == (3'000'000 + 183) / 184);
}

TEST_CASE("images too large to be scaled are refused") {
  Random random(1);
  const ImageLimits limits{16, 1 << 20, std::uint64_t{1} << 29};
  const std::string huge = grayPng(1 << 14, 1 << 13, 1, true, random).substr(0, 2000);
  CHECK_THROWS_WITH_AS(checkImage(huge, limits), doctest::Contains("the limit is 16 a side"),
                       std::runtime_error);
  CHECK_THROWS_AS(sizeWithin(40000, 40000, limits), std::runtime_error);
  CHECK_THROWS_AS(sizeWithin(17, 1, {16, 7, 1000}), std::runtime_error); // no bytes are left
  CHECK(
      sizeWithin(20000, 20000, {16384, std::uint64_t{512} << 20, limits.maxScaledPixels}).factor ==
      3);
}

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
  CHECK(decodeImage(bytes, {1, 100, 100}).rgba == std::vector<std::uint8_t>{128, 128, 0, 255});
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
