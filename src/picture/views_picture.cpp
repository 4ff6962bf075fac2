#include "picture/views_picture.h"

#include "core/error.h"
#include "picture/captions.h"
#include "picture/view_cells.h"
#include "report/sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sinew {
namespace {

constexpr std::uint8_t kBetweenViews = 11; // grey, 0 to 255

Image emptyPicture(int width, int height) {
  Image picture{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), {}};
  picture.rgba.assign(std::size_t{4} * picture.width * picture.height, kBetweenViews);
  for (std::size_t alpha = 3; alpha < picture.rgba.size(); alpha += 4)
    picture.rgba[alpha] = 255;
  return picture;
}

} // namespace

Image drawViews(OffscreenTarget& target, const OffscreenOptions& options,
                const Workbench& workbench, const Settings& settings, const Bounds& framed,
                const DrawOneView& drawOneView, std::span<const std::string> words) {
  constexpr int kSmallest = 8; // pixels
  const int width = options.width, height = options.height;
  const std::vector<Viewport> cells =
      viewCells({0, 0, width, height}, words.empty() ? workbench.bound.size() : words.size(),
                subjectAspect(framed));
  if (cells.size() > 1 && std::min(cells.front().width, cells.front().height) < kSmallest)
    throw usageError(
        fmt::format("--size {}x{} is too small for {} views", width, height, cells.size()),
        "name fewer methods, or give a larger --size");
  Image picture = emptyPicture(width, height);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Viewport viewport{0, 0, cells[i].width, cells[i].height};
    OffscreenOptions one = options;
    one.width = viewport.width;
    one.height = viewport.height;
    const Image view = renderOffscreen(target, one, [&] { drawOneView(i, viewport); });
    copyInto(picture, view, static_cast<std::uint32_t>(cells[i].x),
             static_cast<std::uint32_t>(height - cells[i].y - cells[i].height));
  }
  drawCaptions(picture, cells, workbench, settings, words);
  return picture;
}

} // namespace sinew
