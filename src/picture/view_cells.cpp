#include "picture/view_cells.h"

#include <algorithm>

namespace sinew {

float subjectAspect(const Bounds& bounds) {
  const vec3 extent = bounds.empty() ? vec3(1.0f) : bounds.extent();
  const float wide = std::max(extent.x, extent.z);
  return extent.y > 0.0f ? std::clamp(wide / extent.y, 0.5f, 2.0f) : 2.0f;
}

namespace {

struct CellGrid {
  int columns = 1;
  int width = 1;
  int height = 1;
};

CellGrid makeGrid(const Viewport& area, int count, int columns) {
  const int rows = (count + columns - 1) / columns;
  return {columns, std::max((area.width - (columns - 1) * kCellGap) / columns, 1),
          std::max((area.height - (rows - 1) * kCellGap) / rows, 1)};
}

// Height at which the subject fits into a cell.
float subjectHeight(const CellGrid& grid, float subjectAspect) {
  return std::min(static_cast<float>(grid.width) / subjectAspect, static_cast<float>(grid.height));
}

} // namespace

std::vector<Viewport> viewCells(const Viewport& area, std::size_t count, float subjectAspect) {
  const int number = static_cast<int>(count);
  CellGrid grid = makeGrid(area, number, 1);
  for (int columns = 2; columns <= number; ++columns) {
    const CellGrid other = makeGrid(area, number, columns);
    if (subjectHeight(other, subjectAspect) > subjectHeight(grid, subjectAspect)) grid = other;
  }
  std::vector<Viewport> cells;
  cells.reserve(static_cast<std::size_t>(number));
  for (int i = 0; i < number; ++i)
    cells.push_back(
        {area.x + i % grid.columns * (grid.width + kCellGap),
         area.y + area.height - grid.height - i / grid.columns * (grid.height + kCellGap),
         grid.width, grid.height});
  return cells;
}

} // namespace sinew
