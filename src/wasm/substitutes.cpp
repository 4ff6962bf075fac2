// What the module for browsers has in place of libraries and parts of the system that are not
// there: no processes. PNG files by stb.
#include "core/error.h"
#include "import/image_codecs.h"
#include "import/isolated_import.h"
#include "model/png.h"

#include <fmt/format.h>
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>

namespace sinew {

// A reader that goes wrong ends its Web Worker, as elsewhere its process.
Model importIsolated(const std::filesystem::path& path, const ImportOptions& options,
                     const IsolationLimits& /*limits*/) {
  return importModel(path, options);
}

Model readIsolated(const std::filesystem::path& /*path*/, const ModelReader& reader,
                   const ImportProgress& progress, const IsolationLimits& /*limits*/) {
  return reader(progress);
}

std::vector<std::byte> bytesIsolated(const std::filesystem::path& /*path*/,
                                     const BytesReader& reader, const ImportProgress& progress,
                                     const IsolationLimits& /*limits*/) {
  return reader(progress);
}

// A texture that is WebP becomes a checkerboard: its decoder is a library.
PixelCounts webpSize(std::string_view /*bytes*/) {
  throw std::runtime_error("is a WebP image, which is not read in a browser");
}
Image decodeWebp(std::string_view bytes) {
  webpSize(bytes);
  return {};
}

// Whole, where elsewhere it is read row by row.
Image decodeScaledPng(std::string_view bytes, const ImageSize& size) {
  int width = 0, height = 0, channels = 0;
  stbi_uc* pixels =
      stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()),
                            static_cast<int>(bytes.size()), &width, &height, &channels, 4);
  if (pixels == nullptr) throw std::runtime_error("is damaged");
  Image image{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), {}};
  image.rgba.assign(pixels, pixels + std::size_t{4} * image.width * image.height);
  stbi_image_free(pixels);
  return scaledImage(image, size);
}

bool isOpaque(const Image& image) {
  for (std::size_t i = 3; i < image.rgba.size(); i += 4)
    if (image.rgba[i] != 255) return false;
  return true;
}

std::string encodePng(const Image& image, PngEffort /*effort*/) {
  std::string bytes;
  const auto append = [](void* to, void* data, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data),
                                          static_cast<std::size_t>(size));
  };
  const auto width = static_cast<int>(image.width), height = static_cast<int>(image.height);
  if (image.rgba.empty() ||
      stbi_write_png_to_func(append, &bytes, width, height, 4, image.rgba.data(), 4 * width) == 0)
    throw usageError(
        fmt::format("a picture of {}x{} pixels cannot be written as PNG", width, height));
  return bytes;
}

} // namespace sinew

// Nothing of the one thread is destroyed before the module is.
extern "C" int __cxa_thread_atexit(void (* /*destroy*/)(void*), void* /*object*/,
                                   void* /*library*/) noexcept {
  return 0;
}
