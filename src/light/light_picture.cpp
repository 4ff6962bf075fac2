#include "light/light_picture.h"

#include "core/color.h"
#include "core/error.h"
#include "core/file.h"
#include "import/image_decoder.h"
#include "import/isolated_import.h"
#include "light/surroundings.h"

#include <fmt/format.h>
#include <stb/stb_image.h>

#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace sinew {
namespace {

constexpr ImageLimits kLimits{.maxSide = 16384, .maxBytes = 512ULL << 20};
constexpr double kSeconds = 60.0; // to read it

void checkShape(std::uint64_t width, std::uint64_t height) {
  if (width != 2 * height)
    throw std::runtime_error(fmt::format("is {} x {} pixels; a picture of everything around is "
                                         "twice as wide as high (equirectangular)",
                                         width, height));
}

Irradiance irradianceOfLinear(std::string_view bytes) {
  checkImage(bytes, kLimits);
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<float, void (*)(void*)> pixels(
      stbi_loadf_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()),
                             static_cast<int>(bytes.size()), &width, &height, &channels, 3),
      stbi_image_free);
  if (pixels == nullptr)
    throw std::runtime_error(fmt::format("is damaged ({})", stbi_failure_reason()));
  const auto w = static_cast<std::size_t>(width), h = static_cast<std::size_t>(height);
  checkShape(w, h);
  return computeIrradiance({w, h, {pixels.get(), 3 * w * h}});
}

Irradiance irradianceOfImage(std::string_view bytes) {
  const Image image = decodeImage(bytes, kLimits);
  checkShape(image.width, image.height);
  std::array<float, 256> linear{};
  for (std::size_t level = 0; level < linear.size(); ++level)
    linear[level] = linearFromSrgb(static_cast<float>(level) / 255.0f);
  std::vector<float> rgb;
  rgb.reserve(image.rgba.size() / 4 * 3);
  for (std::size_t i = 0; i < image.rgba.size(); i += 4)
    for (std::size_t channel = 0; channel < 3; ++channel)
      rgb.push_back(linear[image.rgba[i + channel]]);
  return computeIrradiance({image.width, image.height, rgb});
}

std::vector<std::byte> read(const std::filesystem::path& file) {
  const std::string bytes = readFile(file);
  Irradiance light;
  try {
    const bool linear = bytes.starts_with("#?"); // RADIANCE or RGBE
    light = linear ? irradianceOfLinear(bytes) : irradianceOfImage(bytes);
  } catch (const std::runtime_error& error) {
    throw inputError(file.string(), error.what());
  }
  std::vector<std::byte> out(sizeof light);
  std::memcpy(out.data(), &light, sizeof light);
  return out;
}

} // namespace

std::vector<std::string> lightPictureExtensions() {
  return {".hdr", ".png", ".jpg", ".jpeg"};
}

LightPicture readLightPicture(const std::filesystem::path& file) {
  LightPicture picture{file.string(), Irradiance()};
  Irradiance& light = *picture.irradiance;
  const std::vector<std::byte> bytes = bytesIsolated(
      file, [&](const ImportProgress&) { return read(file); }, {}, {.seconds = kSeconds});
  if (bytes.size() != sizeof light)
    throw inputError(file.string(), "the reader's result is damaged");
  std::memcpy(&light, bytes.data(), sizeof light);
  const float mean = meanLuminance(light);
  if (!std::isfinite(mean) || !(mean > 1e-30f))
    throw inputError(file.string(), "is black: it gives no light");
  for (vec3& coefficient : light.coefficients) {
    coefficient *= kPictureLight / mean;
    if (!std::isfinite(coefficient.x + coefficient.y + coefficient.z))
      throw inputError(file.string(), "the reader's result is damaged");
  }
  return picture;
}

} // namespace sinew
