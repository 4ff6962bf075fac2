// A picture file as light: read once, where it is chosen.
#pragma once

#include "view/view.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

struct LightPicture {
  std::string file; // empty: none
  std::optional<Irradiance> irradiance = {};

  bool operator==(const LightPicture& other) const { return file == other.file; }
};

// Lower case with the dot.
std::vector<std::string> lightPictureExtensions();

// Equirectangular, twice as wide as high: Radiance .hdr (linear), or an image in sRGB (PNG, JPEG,
// ...). Read in a separate process. It is scaled to a mean of kPictureLight, as one picture is
// thousands of times as bright as another. Throws inputError for what is no such picture.
LightPicture readLightPicture(const std::filesystem::path& file);

inline constexpr float kPictureLight = 0.55f;

} // namespace sinew
