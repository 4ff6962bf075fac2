// Pictures on disk, and how far two of them are apart.
#pragma once

#include "model/png.h"

#include <filesystem>

namespace sinew {

// Writes what encodePng() makes (model/png.h).
void writePng(const std::filesystem::path& path, const Image& image);
Image readPng(const std::filesystem::path& path);

// 0 for equal pictures, 1 for black against white: the mean over pixels of the largest channel
// difference, and the share of pixels that differ by more than 8 of 255. Sizes must agree.
struct ImageDifference {
  double mean = 0.0;
  double changedFraction = 0.0;
};
ImageDifference difference(const Image& a, const Image& b);

// The picture a person looks at when they disagree: |a - b|, brightened.
Image differenceImage(const Image& a, const Image& b);

} // namespace sinew
