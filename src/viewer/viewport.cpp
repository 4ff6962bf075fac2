#include "viewer/viewport.h"

#include "core/error.h"
#include "render/image.h"
#include "render/offscreen.h"
#include "viewer/pick.h"
#include "viewer/session.h"

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

void clickBone(Viewer& viewer, const Rect& rect, float pixelsPerUnit) {
  if (viewer.crowd || viewer.bench.method == nullptr) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const vec2 pixel = pixelsPerUnit * vec2(mouse.x - rect.x, mouse.y - rect.y);
  selectJoint(viewer, pickJoint(viewer.bench.model, viewer.bench.modelFromNode, currentView(viewer),
                                pixel, kPickRadius * pixelsPerUnit));
}

std::string stemOf(const Model& model) {
  std::string stem = "sinew-" + (model.name.empty() ? "view" : model.name);
  for (char& c : stem)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_') c = '_';
  return stem;
}

void save(Viewer& viewer, const Viewport& area) {
  try {
    std::error_code error;
    const auto path = freeName(std::filesystem::current_path(error), stemOf(viewer.bench.model));
    writePng(path, readBoundFramebuffer(area.x, area.y, area.width, area.height));
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

View currentView(const Viewer& viewer) {
  Camera camera = cameraOf(viewer.settings, viewer.orbit, viewer.viewport.aspect());
  if (viewer.follow) camera.target += carriedAway(viewer);
  return viewOf(viewer.settings, camera, sceneOf(viewer), viewer.viewport);
}

namespace {

// The framebuffer to draw into, of the viewport's size. The crowd is for measuring: one sample.
const Framebuffer& prepareTarget(Graphics& graphics, const Viewport& viewport, bool oneSample) {
  const int width = viewport.width;
  const int height = viewport.height;
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

} // namespace

void drawViewport(Viewer& viewer) {
  Graphics& graphics = *viewer.graphics;
  View view = currentView(viewer);
  view.viewport.x = view.viewport.y = 0;
  Settings settings = viewer.settings;
  std::optional<std::uint32_t> selected = viewer.selected;
  if (viewer.crowd) {
    // The bones of one character in its place would stand for none of the crowd.
    settings.skeleton = false;
    selected.reset();
    view.show.cullBackFaces = true; // as the benchmark draws it
  }
  prepareTarget(graphics, viewer.viewport, viewer.crowd.has_value()).bind();
  graphics.timer.begin();
  viewer.statistics.drawn = drawPicture(graphics.picture, viewer.bench, settings, view, selected);
  graphics.timer.end();
  if (graphics.samples) graphics.samples->resolveInto(*graphics.pixels);
  graphics.pixels->copyToWindow(viewer.viewport.x, viewer.viewport.y);
  while (const auto milliseconds = graphics.timer.poll())
    viewer.statistics.gpu.push(*milliseconds);
}

void mouseInput(Viewer& viewer, const Rect& rect, float pixelsPerUnit) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantCaptureMouse || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return;
  const float dx = io.MouseDelta.x / rect.height;
  const float dy = io.MouseDelta.y / rect.height;
  const bool left = ImGui::IsMouseDragging(ImGuiMouseButton_Left, kClickPixels);
  if (ImGui::IsMouseDown(ImGuiMouseButton_Middle) || (left && io.KeyShift))
    panBy(viewer.orbit, cameraOf(viewer.settings, viewer.orbit, viewer.viewport.aspect()), dx, dy);
  else if (left)
    orbitBy(viewer.settings, dx, dy);
  else if (ImGui::IsMouseDown(ImGuiMouseButton_Right))
    zoomBy(viewer.settings, -20.0f * dy);
  if (io.MouseWheel != 0.0f) zoomBy(viewer.settings, io.MouseWheel);
  if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) &&
      io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] < kClickPixels * kClickPixels)
    clickBone(viewer, rect, pixelsPerUnit);
}

void saveScreenshots(Viewer& viewer, const Window& window, bool panels) {
  bool& asked = panels ? viewer.ui.screenshotWindow : viewer.ui.screenshot;
  if (!std::exchange(asked, false)) return;
  if (panels)
    save(viewer, {0, 0, window.framebufferWidth(), window.framebufferHeight()});
  else
    save(viewer, viewer.viewport);
}

std::filesystem::path freeName(const std::filesystem::path& folder, const std::string& stem) {
  std::error_code error;
  for (int number = 1;; ++number) {
    std::filesystem::path path = folder / fmt::format("{}-{:03}.png", stem, number);
    if (!std::filesystem::exists(path, error)) return path;
  }
}

} // namespace sinew
