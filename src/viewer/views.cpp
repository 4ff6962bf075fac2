#include "viewer/views.h"

#include "app/view_cells.h"
#include "viewer/session.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

std::size_t viewCount(const Viewer& viewer) {
  return methodChoices(viewer.settings.method).size();
}

std::size_t activeView(const Viewer& viewer) {
  return std::min(viewer.views.active, viewCount(viewer) - 1);
}

MethodChoice activeChoice(const Viewer& viewer) {
  return methodChoices(viewer.settings.method)[activeView(viewer)];
}

void setActiveChoice(Viewer& viewer, const MethodChoice& choice) {
  std::vector<MethodChoice> choices = methodChoices(viewer.settings.method);
  choices[activeView(viewer)] = choice;
  viewer.settings.method = methodListOf(choices);
}

void addView(Viewer& viewer) {
  std::vector<MethodChoice> choices = methodChoices(viewer.settings.method);
  if (viewer.crowd) return toast(viewer, "the stress scene has one view");
  if (choices.size() == kMostViews) return toast(viewer, "there is room for six views");
  const std::vector<std::string> names = methodNames();
  const auto fresh = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
    return std::none_of(choices.begin(), choices.end(),
                        [&](const MethodChoice& choice) { return choice.method == name; });
  });
  choices.push_back({fresh != names.end() ? *fresh : names.front(), {}});
  viewer.settings.method = methodListOf(choices);
  viewer.views = {.active = choices.size() - 1, .alone = false};
}

void removeView(Viewer& viewer) {
  std::vector<MethodChoice> choices = methodChoices(viewer.settings.method);
  if (choices.size() == 1) return toast(viewer, "the last view stays");
  choices.erase(choices.begin() + static_cast<std::ptrdiff_t>(activeView(viewer)));
  viewer.settings.method = methodListOf(choices);
  viewer.views = {.active = activeView(viewer), .alone = false};
}

void nextView(Viewer& viewer, int step) {
  const auto count = static_cast<int>(viewCount(viewer));
  const int next = (static_cast<int>(activeView(viewer)) + step + count) % count;
  viewer.views.active = static_cast<std::size_t>(next);
}

void toggleAlone(Viewer& viewer) {
  viewer.views.alone = !viewer.views.alone && viewCount(viewer) > 1;
}

void toggleDifference(Viewer& viewer) {
  if (viewer.crowd) return toast(viewer, "the stress scene shows no differences");
  std::string& difference = viewer.settings.difference;
  if (difference != "none") {
    difference = "none";
    return;
  }
  const MethodChoice choice = activeChoice(viewer);
  difference = methodListOf({&choice, 1});
  if (viewCount(viewer) == 1)
    toast(viewer, fmt::format("differences are from {}: add a view (V) or choose another method",
                              titleOf(choice)));
}

std::vector<Viewport> shownCells(const Viewer& viewer) {
  const std::size_t count = viewCount(viewer);
  if (!viewer.views.alone)
    return viewCells(viewer.viewport, count, subjectAspect(viewer.orbit.framed));
  std::vector<Viewport> cells(count);
  cells[activeView(viewer)] = viewer.viewport;
  return cells;
}

// Upper left corner of a cell, counted from the picture's.
static vec2 cornerOf(const Viewport& area, const Viewport& cell) {
  return {static_cast<float>(cell.x - area.x),
          static_cast<float>(area.y + area.height - cell.y - cell.height)};
}

vec2 pixelInView(const Viewer& viewer, std::size_t view, vec2 pixel) {
  return pixel - cornerOf(viewer.viewport, shownCells(viewer)[view]);
}

std::optional<ViewPoint> viewPointAt(const Viewer& viewer, vec2 pixel) {
  const std::vector<Viewport> cells = shownCells(viewer);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Viewport& cell = cells[i];
    const vec2 within = pixel - cornerOf(viewer.viewport, cell);
    if (within.x >= 0.0f && within.y >= 0.0f && within.x < static_cast<float>(cell.width) &&
        within.y < static_cast<float>(cell.height))
      return ViewPoint{i, within};
  }
  return std::nullopt;
}

} // namespace sinew
