#include "viewer/viewport.h"

#include "app/captions.h"
#include "core/error.h"
#include "render/image.h"
#include "render/offscreen.h"
#include "viewer/bind.h"
#include "viewer/pick.h"
#include "viewer/ragdoll_tools.h"
#include "viewer/session.h"
#include "viewer/target_tool.h"
#include "viewer/tools.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <system_error>

namespace sinew {
namespace {

constexpr float kClickPixels = 5.0f; // a mouse that moves less has clicked
constexpr float kPickRadius = 12.0f; // ImGui units
constexpr vec3 kBetweenViews{0.04f, 0.045f, 0.05f};

// What near and far planes have to enclose, wherever the clip carries the model. The ground lies at
// the lower end of this box, so it is not lowered with a model that lies down.
Bounds sceneOf(const Viewer& viewer) {
  Bounds scene = viewer.orbit.framed;
  if (scene.empty()) return {vec3(-1.0f), vec3(1.0f)};
  const vec3 away = carriedAway(viewer);
  const vec3 sideways(away.x, std::max(away.y, 0.0f), away.z);
  scene.include(Bounds{scene.min + sideways, scene.max + away});
  return scene;
}

void clickBone(Viewer& viewer, const ViewPoint& point, float pixelsPerUnit) {
  if (viewer.crowd || !hasModel(viewer)) return;
  selectJoint(viewer,
              pickJoint(viewer.bench.model, viewer.bench.modelFromNode,
                        currentView(viewer, point.view), point.pixel, kPickRadius * pixelsPerUnit));
}

// The interface writes over the window alone.
void captionViews(Image& image, const Viewer& viewer) {
  std::vector<Viewport> cells = shownCells(viewer);
  if (cells.size() != viewer.bench.bound.size() || viewer.crowd) return;
  for (Viewport& cell : cells) {
    cell.x -= viewer.viewport.x;
    cell.y -= viewer.viewport.y;
  }
  drawCaptions(image, cells, viewer.bench, viewer.settings, comparedCaptions(viewer));
}

void save(Viewer& viewer, const Viewport& area, bool captions) {
  try {
    std::error_code error;
    const auto path = freeName(std::filesystem::current_path(error), stemOf(viewer.bench.model));
    Image image = readBoundFramebuffer(area.x, area.y, area.width, area.height);
    if (captions) captionViews(image, viewer);
    writePng(path, image);
    toast(viewer, fmt::format("saved {}", path.string()));
  } catch (const Error& problem) {
    toast(viewer, problem.what());
  }
}

} // namespace

Viewport viewportOf(const Rect& rect, float pixelsPerUnit, int framebufferHeight) {
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

View currentView(const Viewer& viewer, std::size_t view) {
  const Viewport cell = shownCells(viewer)[view];
  Camera camera = cameraOf(viewer.settings, viewer.orbit, cell.aspect());
  if (viewer.follow) camera.target += carriedAway(viewer);
  return viewOf(viewer.settings, camera, sceneOf(viewer), cell);
}

View currentView(const Viewer& viewer) {
  return currentView(viewer, activeView(viewer));
}

namespace {

// The framebuffer to draw into, of a view's size. The crowd is for measuring: one sample.
const Framebuffer& prepareTarget(Graphics& graphics, int width, int height, bool oneSample) {
  if (!graphics.pixels) graphics.pixels.emplace(width, height);
  graphics.pixels->resize(width, height);
  const int samples = oneSample ? 1 : std::min(4, graphics.info.limits.samples);
  if (samples <= 1) {
    graphics.samples.reset();
    return *graphics.pixels;
  }
  if (!graphics.samples) graphics.samples.emplace(width, height, samples);
  graphics.samples->resize(width, height);
  return *graphics.samples;
}

// One view after the other through the same framebuffer: equal views come out equal to the pixel.
DrawCount drawView(Viewer& viewer, std::size_t index) {
  Graphics& graphics = *viewer.graphics;
  View view = currentView(viewer, index);
  const Viewport cell = view.viewport;
  view.viewport.x = view.viewport.y = 0;
  Settings settings = viewer.settings;
  std::optional<std::uint32_t> selected = viewer.selected;
  if (viewer.crowd) {
    // The bones of one character in its place would stand for none of the crowd.
    settings.skeleton = false;
    selected.reset();
    view.show.cullBackFaces = true; // as the benchmark draws it
  }
  settings.skeleton |= drafting(viewer);
  prepareTarget(graphics, cell.width, cell.height, viewer.crowd.has_value()).bind();
  graphics.timers[index].begin();
  const DrawCount drawn =
      drawPicture(graphics.picture, viewer.bench, settings, view, selected, index);
  graphics.timers[index].end();
  drawRagdoll(viewer, view);
  drawTools(viewer, view);
  drawTargets(viewer, view);
  if (graphics.samples) graphics.samples->resolveInto(*graphics.pixels);
  graphics.pixels->copyToWindow(cell.x, cell.y);
  return drawn;
}

// What the GPU has finished since the last frame, of each view and of those shown together.
void readTimers(Viewer& viewer, const std::vector<Viewport>& cells) {
  double sum = 0.0;
  bool all = true;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::optional<double> last;
    while (const auto milliseconds = viewer.graphics->timers[i].poll()) {
      viewer.statistics.views[i].gpu.push(*milliseconds);
      last = milliseconds;
    }
    if (cells[i].width > 0) all &= last.has_value();
    sum += last.value_or(0.0);
  }
  if (all) viewer.statistics.gpu.push(sum);
}

} // namespace

void drawViewport(Viewer& viewer) {
  Graphics& graphics = *viewer.graphics;
  Statistics& statistics = viewer.statistics;
  const std::vector<Viewport> cells = shownCells(viewer);
  if (graphics.timers.size() < cells.size()) graphics.timers.resize(cells.size());
  statistics.views.resize(cells.size());
  statistics.drawn = {};
  bindWindow();
  if (cells.size() > 1) graphics.picture.renderer.clear(viewer.viewport, kBetweenViews);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].width == 0) continue;
    const DrawCount drawn = drawView(viewer, i);
    statistics.views[i].drawn = drawn;
    statistics.drawn.draws += drawn.draws;
    statistics.drawn.triangles += drawn.triangles;
    statistics.drawn.vertices += drawn.vertices;
  }
  readTimers(viewer, cells);
}

vec2 mousePixel(const Rect& picture, float pixelsPerUnit) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  return pixelsPerUnit * vec2(mouse.x - picture.x, mouse.y - picture.y);
}

namespace {

// A click makes a view active and selects the bone under it; a double click shows the view alone.
void click(Viewer& viewer, const ViewPoint& point, float pixelsPerUnit) {
  viewer.views.active = point.view;
  clickBone(viewer, point, pixelsPerUnit);
}

} // namespace

void mouseInput(Viewer& viewer, const Rect& rect, float pixelsPerUnit) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool tool = ragdollInput(viewer, rect, pixelsPerUnit) ||
                    targetInput(viewer, rect, pixelsPerUnit) ||
                    toolInput(viewer, rect, pixelsPerUnit);
  const bool doubleClick = std::exchange(viewer.ui.doubleClick, false);
  if (io.WantCaptureMouse || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return;
  const Viewport cell = shownCells(viewer)[activeView(viewer)]; // all have this size
  const float height = static_cast<float>(cell.height) / pixelsPerUnit;
  const float dx = io.MouseDelta.x / height;
  const float dy = io.MouseDelta.y / height;
  const bool left = !tool && ImGui::IsMouseDragging(ImGuiMouseButton_Left, kClickPixels);
  if (ImGui::IsMouseDown(ImGuiMouseButton_Middle) || (left && io.KeyShift))
    panBy(viewer.orbit, cameraOf(viewer.settings, viewer.orbit, cell.aspect()), dx, dy);
  else if (left)
    orbitBy(viewer.settings, dx, dy);
  else if (ImGui::IsMouseDown(ImGuiMouseButton_Right))
    zoomBy(viewer.settings, -20.0f * dy);
  if (io.MouseWheel != 0.0f) zoomBy(viewer.settings, io.MouseWheel);
  const auto point = viewPointAt(viewer, mousePixel(rect, pixelsPerUnit));
  if (point && !tool && ImGui::IsMouseReleased(ImGuiMouseButton_Left) &&
      io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] < kClickPixels * kClickPixels)
    click(viewer, *point, pixelsPerUnit);
  if (point && !tool && doubleClick) {
    viewer.views.active = point->view;
    toggleAlone(viewer);
  }
}

void saveScreenshots(Viewer& viewer, const Window& window, bool panels) {
  bool& asked = panels ? viewer.ui.screenshotWindow : viewer.ui.screenshot;
  if (!std::exchange(asked, false)) return;
  if (panels)
    save(viewer, {0, 0, window.framebufferWidth(), window.framebufferHeight()}, false);
  else
    save(viewer, viewer.viewport, true);
}

std::string stemOf(const Model& model) {
  std::string stem = "sinew-" + (model.name.empty() ? "view" : model.name);
  for (char& c : stem)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_') c = '_';
  return stem;
}

std::filesystem::path freeName(const std::filesystem::path& folder, const std::string& stem,
                               const char* extension) {
  std::error_code error;
  for (int number = 1;; ++number) {
    std::filesystem::path path = folder / fmt::format("{}-{:03}{}", stem, number, extension);
    if (!std::filesystem::exists(path, error)) return path;
  }
}

} // namespace sinew
