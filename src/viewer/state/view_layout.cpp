#include "viewer/state/view_layout.h"

#include "app/settings_view.h"
#include "editor/document/framing.h"
#include "editor/document/side_models.h"
#include "editor/document/views.h"
#include "picture/view_cells.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// What near and far planes have to enclose, wherever the clip carries the model. The ground lies at
// the lower end of this box, so it is not lowered with a model that lies down.
Bounds widenScene(Bounds scene, const vec3& away) {
  if (scene.empty()) return {vec3(-1.0f), vec3(1.0f)};
  const vec3 sideways(away.x, std::max(away.y, 0.0f), away.z);
  scene.include(Bounds{scene.min + sideways, scene.max + away});
  return scene;
}

} // namespace

Viewport toViewport(const Rect& rect, float pixelsPerUnit, int framebufferHeight) {
  const auto pixels = [&](float units) {
    return static_cast<int>(std::lround(units * pixelsPerUnit));
  };
  Viewport viewport;
  viewport.x = pixels(rect.x);
  viewport.width = std::max(pixels(rect.x + rect.width) - viewport.x, 1);
  viewport.y = framebufferHeight - pixels(rect.y + rect.height);
  viewport.height = std::max(pixels(rect.height), 1);
  return viewport;
}

ViewPage shownPage(const Document& document) {
  const std::size_t first = activeView(document) / kViewsPerPage * kViewsPerPage;
  return {first, std::min(first + kViewsPerPage, viewCount(document))};
}

bool isDivided(const Document& document) {
  return document.views.divider && !document.views.alone && viewCount(document) == 2;
}

std::vector<Viewport> visibleCells(const Document& document, const Ui& ui) {
  std::vector<Viewport> cells = shownCells(document, ui);
  if (!isDivided(document)) return cells;
  const auto width = static_cast<float>(ui.viewport.width);
  const auto left = static_cast<int>(std::lround(*document.views.divider * width));
  cells[0].width = std::clamp(left, 1, std::max(1, ui.viewport.width - 1));
  cells[1].x += cells[0].width;
  cells[1].width -= cells[0].width;
  return cells;
}

std::vector<Viewport> shownCells(const Document& document, const Ui& ui) {
  std::vector<Viewport> cells(viewCount(document));
  if (document.views.alone) {
    cells[activeView(document)] = ui.viewport;
    return cells;
  }
  if (isDivided(document)) {
    std::ranges::fill(cells, ui.viewport);
    return cells;
  }
  const auto [first, last] = shownPage(document);
  const std::vector<Viewport> page =
      viewCells(ui.viewport, last - first, subjectAspect(document.orbit.framed));
  std::ranges::copy(page, cells.begin() + static_cast<std::ptrdiff_t>(first));
  return cells;
}

// Upper left corner of a cell, counted from the picture's.
static vec2 computeCorner(const Viewport& area, const Viewport& cell) {
  return {static_cast<float>(cell.x - area.x),
          static_cast<float>(area.y + area.height - cell.y - cell.height)};
}

vec2 pixelInView(const Document& document, const Ui& ui, std::size_t view, vec2 pixel) {
  return pixel - computeCorner(ui.viewport, shownCells(document, ui)[view]);
}

std::optional<ViewPoint> anyViewAt(const Document& document, const Ui& ui, vec2 pixel) {
  const std::vector<Viewport> whole = shownCells(document, ui);
  const std::vector<Viewport> cells = visibleCells(document, ui);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Viewport& cell = cells[i];
    const vec2 within = pixel - computeCorner(ui.viewport, cell);
    if (within.x >= 0.0f && within.y >= 0.0f && within.x < static_cast<float>(cell.width) &&
        within.y < static_cast<float>(cell.height))
      return ViewPoint{i, pixel - computeCorner(ui.viewport, whole[i])};
  }
  return std::nullopt;
}

std::optional<ViewPoint> viewPointAt(const Document& document, const Ui& ui, vec2 pixel) {
  const auto point = anyViewAt(document, ui, pixel);
  return point && sideModelIn(document, point->view) == nullptr ? point : std::nullopt;
}

View viewIn(const Document& document, std::size_t view, const Viewport& cell) {
  const Settings& settings = document.settings;
  const SideModel* sideModel = sideModelIn(document, view);
  const vec3 away = sideModel != nullptr ? carriedBy(*sideModel) : carriedAway(document);
  const vec3 follows = sideModel != nullptr ? away : cameraAway(document);
  Camera camera = sideModel != nullptr ? makeCamera(document, *sideModel, cell.aspect())
                                       : makeCamera(settings, document.orbit, cell.aspect());
  if (document.follow) camera.target += follows;
  if (sideModel == nullptr)
    return makeView(settings, camera, widenScene(document.orbit.framed, away), cell);
  View shown =
      makeView(settings, camera, widenScene(computeSceneBounds(document, *sideModel), away), cell);
  shown.show.field = settings.boneColors; // heat maps are of the document
  return shown;
}

View currentView(const Document& document, const Ui& ui, std::size_t view) {
  return viewIn(document, view, shownCells(document, ui)[view]);
}

View currentView(const Document& document, const Ui& ui) {
  return viewIn(document, 0, shownCells(document, ui)[activeView(document)]);
}

void switchProjection(Document& document, const Ui& ui) {
  Settings& settings = document.settings;
  const bool parallel = settings.projection == Projection::orthographic;
  setProjection(settings, document.orbit, currentView(document, ui).viewport.aspect(),
                parallel ? Projection::perspective : Projection::orthographic);
}

vec3 computeEye(const Document& document, const Ui& ui) {
  return eyePosition(currentView(document, ui).camera);
}

vec2 mousePixel(const Rect& picture, float pixelsPerUnit) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  return pixelsPerUnit * vec2(mouse.x - picture.x, mouse.y - picture.y);
}

} // namespace sinew
