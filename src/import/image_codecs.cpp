#include "import/image_codecs.h"

#include <csetjmp>
#include <cstddef>
#include <cstring>
#include <new>
#include <png.h>
#include <stdexcept>
#include <webp/decode.h>

namespace sinew {
namespace {

// A number of the header.
std::uint32_t pngWord(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes.at(at + i));
  return value;
}

// What libpng reads from, and its own state.
struct PngSource {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::string_view left;

  explicit PngSource(std::string_view bytes)
      : png(png_create_read_struct(
            PNG_LIBPNG_VER_STRING, nullptr,
            [](png_structp p, png_const_charp) { png_longjmp(p, 1); },
            [](png_structp, png_const_charp) {})),
        left(bytes) {
    if (png != nullptr) info = png_create_info_struct(png);
    if (info == nullptr) throw std::bad_alloc();
  }
  PngSource(const PngSource&) = delete;
  PngSource& operator=(const PngSource&) = delete;
  ~PngSource() { png_destroy_read_struct(&png, &info, nullptr); }
};

void readPngBytes(png_structp png, png_bytep out, std::size_t count) {
  auto* source = static_cast<PngSource*>(png_get_io_ptr(png));
  if (source->left.size() < count) png_error(png, "cut short");
  std::memcpy(out, source->left.data(), count);
  source->left.remove_prefix(count);
}

// False: the file is damaged. libpng leaves by longjmp then: nothing with a destructor lives here.
bool readPngRows(PngSource& source, std::vector<std::uint8_t>& row, ImageScaler& scaler) {
  png_structp png = source.png;
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_read_fn(png, &source, readPngBytes);
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); // checked by the caller
  png_read_info(png, source.info);
  png_set_expand(png);
  png_set_strip_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
  png_read_update_info(png, source.info);
  row.resize(png_get_rowbytes(png, source.info));
  for (png_uint_32 y = png_get_image_height(png, source.info); y > 0; --y) {
    png_read_row(png, row.data(), nullptr);
    scaler.add(row);
  }
  return true;
}

const std::uint8_t* unsignedBytes(std::string_view bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

} // namespace

Image decodeScaledPng(std::string_view bytes, const ImageSize& size) {
  PngSource source(bytes);
  std::vector<std::uint8_t> row;
  ImageScaler scaler(pngWord(bytes, 16), pngWord(bytes, 20), size);
  if (!readPngRows(source, row, scaler)) throw std::runtime_error("is damaged");
  return scaler.finish();
}

PixelCounts webpSize(std::string_view bytes) {
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
