#include "picture/captions.h"

#include "app/method_list.h"
#include "app/settings_view.h"
#include "picture/scene_renderer.h"
#include "report/sheet.h"

#include <fmt/format.h>

namespace sinew {

std::string makeCaption(const Workbench& workbench, const Settings& settings, std::size_t view) {
  std::string title = makeTitle(settings.methods[view]);
  if (workbench.differences.empty()) return title;
  const Difference& difference = workbench.differences[view];
  if (difference.reference) return title + "\nreference of the differences";
  return fmt::format("{}\nlargest {}, mean {}", title, percentText(difference.largest),
                     percentText(difference.mean));
}

std::string differenceTitle(const Settings& settings) {
  return fmt::format("distance from {}", makeTitle(*settings.difference));
}

std::string differenceEnd(const Workbench& workbench, const Settings& settings) {
  return fmt::format("{:.4g} %", 100.0f * differenceScale(workbench, settings));
}

void drawCaptions(Image& picture, std::span<const Viewport> cells, const Workbench& workbench,
                  const Settings& settings, std::span<const std::string> words) {
  const bool differences = !workbench.differences.empty();
  if (cells.size() == 1 && !differences) return;
  double lowestRight = 0.0; // height of the caption under the legend
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].width == 0) continue;
    const auto left = static_cast<std::uint32_t>(cells[i].x);
    const auto bottom = static_cast<std::uint32_t>(cells[i].y + cells[i].height);
    Image view =
        crop(picture, left, picture.height - bottom, static_cast<std::uint32_t>(cells[i].width),
             static_cast<std::uint32_t>(cells[i].height));
    const double height =
        drawCaption(view, words.empty() ? makeCaption(workbench, settings, i) : words[i]);
    if (cells[i].y == 0) lowestRight = height; // the last one of the lowest row counts
    copyInto(picture, view, left, picture.height - bottom);
  }
  if (differences)
    drawColorScale(picture, fieldColors(settings), differenceTitle(settings), "0",
                   differenceEnd(workbench, settings), lowestRight);
}

} // namespace sinew
