// The size of a picture, and where several views of the same scene lie in it.
#pragma once

#include "view/view.h"

#include <cstddef>
#include <vector>

namespace sinew {

// Width and height of a picture in pixels.
struct Size {
  int width = 960;
  int height = 720;
};

inline constexpr int kCellGap = 2; // pixels between two views

// Width over height of what a view shows from whichever side, within 1/2 and 2: upright figures
// stand in upright cells.
float subjectAspect(const Bounds& bounds);

// One cell per view, row by row from the upper left, all of exactly the same size, so that one
// camera gives them the same picture; in the grid that shows a subject of that aspect largest. They
// leave less than a pixel per column and row unused.
std::vector<Viewport> viewCells(const Viewport& area, std::size_t count, float subjectAspect);

} // namespace sinew
