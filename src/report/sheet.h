// A contact sheet: pictures side by side with captions and colour scales, such as several methods
// in the same pose.
#pragma once

#include "core/transform.h"
#include "model/model.h"

#include <span>
#include <string>
#include <string_view>

namespace sinew {

struct Grid {
  int columns = 1;
  int rows = 1;
};

// The grid of `count` equal cells in an area of that aspect (width over height) whose cells are
// closest to squares; no row is empty. count >= 1.
Grid gridFor(std::size_t count, float aspect);

// A strip with the text at the picture's bottom left, where it covers no head; its letters grow
// with the picture. Lines are separated by '\n'. Text wider than the picture is drawn smaller.
// Returns the strip's height in pixels; 0 without text.
double drawCaption(Image& image, std::string_view text);

// A part of a picture, which must lie within it.
Image crop(const Image& picture, std::uint32_t left, std::uint32_t top, std::uint32_t width,
           std::uint32_t height);

// Copies a picture into a larger one at that upper left corner; it must fit.
void copyInto(Image& sheet, const Image& picture, std::uint32_t left, std::uint32_t top);

struct Tile {
  Image picture;
  std::string caption; // empty: none
};

// The tiles row by row in a grid of cells as large as the largest of them, two pixels apart.
// columns 0: as gridFor a square. An empty list gives an empty image.
Image layOut(std::span<const Tile> tiles, int columns = 0);

// A colour scale, the legend of colours for values, at the picture's lower right: the colours
// (sRGB, at least two, from low to high) as a bar, with the values of its ends below and a title
// above it. Its letters grow with the picture, and it is at most half as wide. raised: pixels from
// the picture's lower edge.
void drawColorScale(Image& image, std::span<const vec3> colors, std::string_view title,
                    std::string_view low, std::string_view high, double raised = 0.0);

} // namespace sinew
