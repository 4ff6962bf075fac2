#include "viewer/viewport.h"

#include "app/settings_view.h"
#include "core/error.h"
#include "editor/document/clip_time.h"
#include "editor/document/document.h"
#include "editor/document/framing.h"
#include "editor/document/views.h"
#include "editor/pose/pick.h"
#include "picture/captions.h"
#include "render/image.h"
#include "render/offscreen.h"
#include "viewer/panels/panels.h"
#include "viewer/state/view_layout.h"
#include "viewer/tools/tool_shapes.h"
#include "viewer/tools/tools.h"
#include "viewer/upload.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <glm/matrix.hpp>
#include <imgui/imgui.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace sinew {
namespace {

constexpr float kClickPixels = 5.0f; // a mouse that moves less has clicked
constexpr float kPickRadius = 12.0f; // ImGui units
constexpr vec3 kBetweenViews{0.04f, 0.045f, 0.05f};

void clickBone(Document& document, const Ui& ui, const ViewPoint& point, float pixelsPerUnit) {
  if (document.crowd || !hasModel(document) || sideModelIn(document, point.view) != nullptr) return;
  selectJoint(document, pickJoint(document.workbench.model, document.workbench.modelFromNode,
                                  currentView(document, ui, point.view), point.pixel,
                                  kPickRadius * pixelsPerUnit, document.hidden));
}

// The interface writes over the window alone.
void captionViews(Image& image, const Session& session, const Ui& ui) {
  const Document& document = session.document;
  std::vector<Viewport> cells = visibleCells(document, ui);
  if (document.settings.methods.size() != document.workbench.bound.size() || document.crowd) return;
  for (Viewport& cell : cells) {
    cell.x -= ui.viewport.x;
    cell.y -= ui.viewport.y;
  }
  drawCaptions(image, cells, document.workbench, document.settings, pictureCaptions(session));
}

void save(Session& session, bool captions, const Ui& ui, const Viewport& area) {
  Document& document = session.document;
  try {
    const auto path =
        freeName(outputFolder(document.loaded.model), makeStem(document.workbench.model));
    Image image = readBoundFramebuffer(area.x, area.y, area.width, area.height);
    if (captions) captionViews(image, session, ui);
    writePng(path, image);
    notifySaved(document, path);
  } catch (const Error& problem) {
    notify(document, problem.what());
  }
}

// The crowd is for measuring: one sample.
OffscreenOptions chooseOffscreenOptions(const Document& document, const Graphics& graphics,
                                        const Viewport& cell) {
  if (document.crowd) return {cell.width, cell.height, 1};
  return offscreenOptions(cell.width, cell.height,
                          std::min(document.settings.samples, graphics.info.limits.samples),
                          graphics.info, !graphics.still);
}

const Framebuffer& prepareTarget(Graphics& graphics, const OffscreenOptions& target) {
  const auto [width, height, samples, filtered] = target;
  if (!graphics.pixels) graphics.pixels.emplace(width, height);
  graphics.pixels->resize(width, height);
  if (samples <= 1) {
    graphics.samples.reset();
    return *graphics.pixels;
  }
  if (!graphics.samples || graphics.samples->samples() != samples)
    graphics.samples.emplace(width, height, samples);
  graphics.samples->resize(width, height);
  return *graphics.samples;
}

// Each as long as a twentieth of the model, whatever the joint's scale.
void drawJointAxes(const Document& document, Graphics& graphics) {
  Overlay overlay;
  overlay.onTop = true;
  for (const std::uint32_t node : document.joints)
    if (!isHidden(document, node))
      addAxes(overlay, document.workbench.modelFromNode[node],
              0.05f * document.orbit.framed.size());
  graphics.scene.renderer.draw(overlay);
}

// Where the joints were when the mesh was bound to them.
void drawBindAxes(const Document& document, Graphics& graphics) {
  Overlay overlay;
  overlay.onTop = true;
  for (const Skin& skin : document.workbench.model.skins)
    for (const SkinJoint& joint : skin.joints)
      if (!isHidden(document, joint.node))
        addAxes(overlay, glm::inverse(joint.jointFromBind), 0.035f * document.orbit.framed.size());
  graphics.scene.renderer.draw(overlay);
}

void drawTrail(Document& document, Graphics& graphics, const View& view) {
  const Trail& trail = getTrail(document);
  if (trail.points.empty()) return;
  Overlay overlay;
  overlay.onTop = true;
  const float pixels = framePixels(1.0f);
  for (std::size_t i = 1; i < trail.points.size(); ++i)
    addBand(overlay, view, trail.points[i - 1], trail.points[i], 1.5f * pixels,
            {255, 214, 80, 255});
  const bool apart = 2 * trail.keys.size() < trail.points.size(); // else they hide the trail
  for (std::size_t i = 0; apart && i < trail.keys.size(); ++i)
    addTarget(overlay, trail.keys[i], view, 2.5f * pixels, false, false);
  graphics.scene.renderer.draw(overlay);
}

// What the document alone has.
void drawOverlays(Session& session, const Ui& ui, const ToolState& tools, Graphics& graphics,
                  const View& view, std::size_t index) {
  Document& document = session.document;
  if (ui.jointAxes && !document.crowd) drawJointAxes(document, graphics);
  if (ui.bindAxes && !document.crowd) drawBindAxes(document, graphics);
  if (document.trails && !document.crowd) drawTrail(document, graphics, view);
  drawRagdoll(document, session.play, graphics, view);
  drawTools(session, ui, tools, graphics, view, index);
  drawTargets(document, session.play, ui, tools, graphics, view);
}

// One view after the other through the same framebuffer: equal views come out equal to the pixel.
DrawCount drawView(Session& session, const Ui& ui, const ToolState& tools, Graphics& graphics,
                   std::size_t index) {
  Document& document = session.document;
  View view = currentView(document, ui, index);
  const Viewport cell = view.viewport;
  view.viewport.x = view.viewport.y = 0;
  Settings settings = document.settings;
  std::optional<std::uint32_t> selected = document.selected;
  if (document.crowd) {
    // The bones of one character in its place would stand for none of the crowd.
    settings.skeleton = false;
    selected.reset();
    view.show.cullBackFaces = true; // as in the benchmark
    makePlain(view);
  }
  settings.skeleton |= drafting(document);
  const OffscreenOptions target = chooseOffscreenOptions(document, graphics, cell);
  prepareTarget(graphics, target).bind();
  graphics.timers[index].begin();
  DrawCount drawn;
  if (document.crowd && graphics.crowd) {
    graphics.scene.renderer.begin(view);
    drawn = drawCrowd(graphics.scene.renderer, *graphics.crowd);
  } else {
    drawn = drawModel(document, graphics, settings, view, index, selected);
  }
  graphics.timers[index].end();
  if (sideModelIn(document, index) == nullptr)
    drawOverlays(session, ui, tools, graphics, view, index);
  if (target.filterEdges) graphics.edges.apply(*graphics.pixels, {0, 0, cell.width, cell.height});
  if (graphics.samples) graphics.samples->resolveInto(*graphics.pixels);
  const Viewport seen = visibleCells(document, ui)[index];
  graphics.pixels->copyToWindow(cell.x, cell.y, seen.x - cell.x, seen.x - cell.x + seen.width);
  return drawn;
}

// What the GPU has finished since the last frame, of each view and of those shown together.
void readTimers(Graphics& graphics, Statistics& statistics, const std::vector<Viewport>& cells) {
  if (!graphics.info.timesGpu) return;
  double sum = 0.0;
  bool all = true;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::optional<double> last;
    while (const auto milliseconds = graphics.timers[i].poll()) {
      statistics.views[i].gpu.push(*milliseconds);
      last = milliseconds;
    }
    if (cells[i].width > 0) all &= last.has_value();
    sum += last.value_or(0.0);
  }
  if (all) statistics.gpu.push(sum);
}

} // namespace

void drawViewport(Session& session, const Ui& ui, const ToolState& tools, Graphics& graphics,
                  Statistics& statistics) {
  const std::vector<Viewport> cells = shownCells(session.document, ui);
  if (graphics.timers.size() < cells.size()) graphics.timers.resize(cells.size());
  statistics.views.resize(cells.size());
  statistics.drawn = {};
  bindWindow();
  if (cells.size() > 1) graphics.scene.renderer.clear(ui.viewport, kBetweenViews);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].width == 0) continue;
    const DrawCount drawn = drawView(session, ui, tools, graphics, i);
    statistics.views[i].drawn = drawn;
    statistics.drawn.draws += drawn.draws;
    statistics.drawn.triangles += drawn.triangles;
    statistics.drawn.vertices += drawn.vertices;
  }
  readTimers(graphics, statistics, cells);
}

namespace {

// A click makes a view active and selects the bone under it; a double click shows the view alone.
void click(Document& document, const Ui& ui, const ViewPoint& point, float pixelsPerUnit) {
  document.views.active = point.view;
  clickBone(document, ui, point, pixelsPerUnit);
}

} // namespace

// True while the divider is being dragged.
static bool dragDivider(Document& document, Ui& ui, const Rect& picture) {
  if (!isDivided(document) || picture.width <= 0.0f) return ui.draggingDivider = false;
  constexpr float kDividerReach = 8.0f;
  const ImGuiIO& io = ImGui::GetIO();
  const float at = picture.x + *document.views.divider * picture.width;
  const bool inside = io.MousePos.y > picture.y && io.MousePos.y < picture.y + picture.height;
  const bool near =
      !io.WantCaptureMouse && inside && std::abs(io.MousePos.x - at) < scaled(kDividerReach);
  if (near && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) ui.draggingDivider = true;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) ui.draggingDivider = false;
  if (near || ui.draggingDivider) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (ui.draggingDivider)
    document.views.divider = std::clamp((io.MousePos.x - picture.x) / picture.width, 0.02f, 0.98f);
  return ui.draggingDivider;
}

void mouseInput(Session& session, Ui& ui, ToolState& tools, const Rect& rect, float pixelsPerUnit) {
  Document& document = session.document;
  forgetDiscarded(session, tools);
  if (dragDivider(document, ui, rect)) return;
  const ImGuiIO& io = ImGui::GetIO();
  const bool tool = ragdollInput(document, session.play, ui, rect, pixelsPerUnit) ||
                    targetInput(document, session.play, ui, tools, rect, pixelsPerUnit) ||
                    toolInput(session, ui, tools, rect, pixelsPerUnit);
  const bool doubleClick = std::exchange(ui.doubleClick, false);
  ui.hoveredJoint.reset();
  if (io.WantCaptureMouse || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return;
  const Viewport cell = shownCells(document, ui)[activeView(document)]; // all have this size
  const float height = static_cast<float>(cell.height) / pixelsPerUnit;
  const float dx = io.MouseDelta.x / height;
  const float dy = io.MouseDelta.y / height;
  const bool left = !tool && ImGui::IsMouseDragging(ImGuiMouseButton_Left, kClickPixels);
  if (ImGui::IsMouseDown(ImGuiMouseButton_Middle) || (left && io.KeyShift))
    panBy(document.orbit, makeCamera(document.settings, document.orbit, cell.aspect()), dx, dy);
  else if (left)
    orbitBy(document.settings, dx, dy);
  else if (ImGui::IsMouseDown(ImGuiMouseButton_Right))
    zoomBy(document.settings, -20.0f * dy);
  const auto point = anyViewAt(document, ui, mousePixel(rect, pixelsPerUnit));
  const SideModel* sideModel = point ? sideModelIn(document, point->view) : nullptr;
  const bool bones = document.settings.skeleton || ui.jointNames || drafting(document);
  if (point && sideModel == nullptr && bones && !tool && !ImGui::IsAnyMouseDown() &&
      hasModel(document) && !document.crowd)
    ui.hoveredJoint = pickJoint(document.workbench.model, document.workbench.modelFromNode,
                                currentView(document, ui, point->view), point->pixel,
                                kPickRadius * pixelsPerUnit, document.hidden);
  if (io.MouseWheel != 0.0f && point) {
    const vec2 size(cell.width, cell.height);
    const vec2 from = (point->pixel - 0.5f * size) / size.y;
    zoomTo(document.settings, document.orbit, cell.aspect(), from.x, from.y, io.MouseWheel);
  }
  const auto clicked = [&](ImGuiMouseButton button) {
    return point && !tool && ImGui::IsMouseReleased(button) &&
           io.MouseDragMaxDistanceSqr[button] < kClickPixels * kClickPixels;
  };
  if (clicked(ImGuiMouseButton_Left)) click(document, ui, *point, pixelsPerUnit);
  if (sideModel != nullptr && clicked(ImGuiMouseButton_Right)) openSideModelMenu(ui, sideModel->id);
  if (point && !tool && doubleClick) {
    document.views.active = point->view;
    toggleAlone(document);
  }
}

void saveScreenshots(Session& session, Ui& ui, const Window& window, bool panels) {
  bool& asked = panels ? ui.screenshotWindow : ui.screenshot;
  if (!std::exchange(asked, false)) return;
  if (panels)
    save(session, false, ui, {0, 0, window.framebufferWidth(), window.framebufferHeight()});
  else
    save(session, true, ui, ui.viewport);
}

} // namespace sinew
