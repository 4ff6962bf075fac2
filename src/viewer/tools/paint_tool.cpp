#include "core/directions.h"
#include "core/stopwatch.h"
#include "editor/paint/sculpt.h"
#include "editor/paint/stroke.h"
#include "viewer/state/view_layout.h"
#include "viewer/tools/tool_shapes.h"
#include "viewer/tools/tools.h"
#include "viewer/window/theme.h"

#include <glm/geometric.hpp>
#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

BrushMode chooseMode(const Brush& brush, const ImGuiIO& io) {
  return io.KeyShift ? BrushMode::smooth : io.KeyCtrl ? BrushMode::subtract : brush.mode;
}

// Looks for the surface under the mouse, for a brush: paint.hover, and where in which view it is;
// nothing where the mouse is not over it, or does something else.
std::optional<ViewPoint> brushOver(Session& session, const Ui& ui, vec2 pixel) {
  const Document& document = session.document;
  PaintState& paint = session.paint;
  const bool taken =
      ImGui::GetIO().WantCaptureMouse || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  const auto point = viewPointAt(document, ui, pixel);
  const bool busy =
      !ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
      (ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsMouseDown(ImGuiMouseButton_Middle) ||
       ImGui::IsMouseDown(ImGuiMouseButton_Right));
  paint.hover.reset();
  if (taken || !point || busy || document.workbench.rig.triangles.empty()) return std::nullopt;
  paint.hover = paintSurface(document, paint, point->view, currentView(document, ui, point->view))
                    .grid.at(point->pixel);
  return paint.hover ? point : std::nullopt;
}

// A brush's circle on the surface at paint.hover.
void drawBrushOutline(const Document& document, const PaintState& paint, const glm::u8vec4& color,
                      Graphics& graphics, const View& view) {
  if (!paint.hover || !paint.pick) return;
  const View& seen = paint.pick->seen;
  if (!sameView(seen, view)) return; // another view's size, or the camera has moved since
  const SurfaceHit& hit = *paint.hover;
  const float radius = paint.choices.brush.radius * posedScale(document.workbench, hit);
  const Triangle& corners = document.workbench.rig.triangles[hit.triangle];
  const std::vector<vec3>& posed = paint.pick->posed;
  vec3 normal =
      glm::cross(posed[corners[1]] - posed[corners[0]], posed[corners[2]] - posed[corners[0]]);
  if (!(glm::length(normal) > 0.0f)) normal = towardsEye(view.camera, hit.position);
  normal = glm::normalize(normal);
  const vec3 u = perpendicular(normal);
  const vec3 v = glm::cross(normal, u);
  // Each point of the circle lies on the surface where there is some behind or before it.
  const auto rim = [&](int i) {
    const float angle = 6.28318530718f * static_cast<float>(i) / 64.0f;
    const vec3 flat = hit.position + radius * (std::cos(angle) * u + std::sin(angle) * v);
    const auto on = paint.pick->grid.at(vec2(screenFromWorld(seen, flat)));
    return on && glm::length(on->position - flat) < 0.5f * radius ? on->position : flat;
  };
  const float pixels = framePixels(2.0f);
  Overlay overlay;
  overlay.onTop = true;
  vec3 last = rim(0);
  for (int i = 1; i <= 64; ++i) {
    const vec3 next = rim(i);
    addBand(overlay, view, last, next, 2.2f * pixels, {10, 12, 16, 150});
    addBand(overlay, view, last, next, pixels, color);
    last = next;
  }
  graphics.scene.renderer.draw(overlay);
}

} // namespace

bool paintInput(Session& session, const Ui& ui, ToolState& tools, const Rect& picture,
                float pixelsPerUnit) {
  Document& document = session.document;
  PaintState& paint = session.paint;
  const ImGuiIO& io = ImGui::GetIO();
  const bool mine = tools.brush;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) tools.brush = false;
  if (!painting(document)) {
    endStroke(document, paint);
    paint.hover.reset();
    return mine;
  }
  const Clock::time_point start = Clock::now();
  const vec2 pixel = mousePixel(picture, pixelsPerUnit);
  if (paint.stroke) {
    const std::size_t view = paint.stroke->view;
    continueStroke(document, session.posing, paint, currentView(document, ui, view),
                   pixelInView(document, ui, view, pixel));
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) endStroke(document, paint);
    paint.cost.brush = std::max(paint.cost.brush, millisecondsSince(start));
    return true;
  }
  const auto point = brushOver(session, ui, pixel);
  if (!point || !ImGui::IsMouseClicked(ImGuiMouseButton_Left) || io.KeyAlt) return mine;
  startStroke(document, session.posing, paint, point->view, point->pixel,
              chooseMode(paint.choices.brush, io));
  tools.brush = true;
  return true;
}

void drawBrush(const Document& document, const PaintState& paint, Graphics& graphics,
               const View& view) {
  if (!painting(document)) return;
  static constexpr glm::u8vec4 kModes[] = {{255, 255, 255, 255},
                                           {255, 120, 100, 255},
                                           {120, 255, 160, 255},
                                           {255, 226, 84, 255},
                                           {255, 255, 255, 255}};
  const Brush& brush = paint.stroke ? paint.stroke->brush : paint.choices.brush;
  const BrushMode mode = paint.stroke ? brush.mode : chooseMode(brush, ImGui::GetIO());
  glm::u8vec4 color = kModes[static_cast<int>(mode)];
  if (paintingColors(document, paint) && mode != BrushMode::smooth && mode != BrushMode::subtract)
    color = {glm::u8vec3(255.0f * paint.choices.color), 255};
  drawBrushOutline(document, paint, color, graphics, view);
}

bool paintKey(const Document& document, PaintState& paint, const std::string& chord) {
  if (!(painting(document) || sculpting(document)) || (chord != "[" && chord != "]")) return false;
  float& radius = paint.choices.brush.radius;
  const float size = computeBounds(document.workbench.rig.positions).size();
  radius = std::clamp(radius * (chord == "]" ? 1.15f : 1.0f / 1.15f), 0.001f * size, 0.5f * size);
  return true;
}

bool sculptInput(Session& session, const Ui& ui, ToolState& tools, const Rect& picture,
                 float pixelsPerUnit) {
  Document& document = session.document;
  PaintState& paint = session.paint;
  SculptState& sculpt = session.sculpt;
  const ImGuiIO& io = ImGui::GetIO();
  const bool mine = tools.brush;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) tools.brush = false;
  if (!sculpting(document)) {
    endSculpt(document, sculpt);
    paint.hover.reset();
    return mine;
  }
  const vec2 pixel = mousePixel(picture, pixelsPerUnit);
  if (sculpt.stroke) {
    const std::size_t view = sculpt.stroke->view;
    continueSculpt(document, paint, sculpt, currentView(document, ui, view),
                   pixelInView(document, ui, view, pixel));
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) endSculpt(document, sculpt);
    return true;
  }
  const auto hit = brushOver(session, ui, pixel);
  if (!hit || !ImGui::IsMouseClicked(ImGuiMouseButton_Left) || io.KeyAlt) return mine;
  startSculpt(document, paint, sculpt, hit->view, hit->pixel,
              io.KeyShift ? SculptBrush::smooth : sculpt.brush, io.KeyCtrl);
  tools.brush = true;
  return true;
}

void drawSculptBrush(const Session& session, Graphics& graphics, const View& view) {
  if (!sculpting(session.document)) return;
  const bool smooth = session.sculpt.stroke
                          ? session.sculpt.stroke->brush == SculptBrush::smooth
                          : session.sculpt.brush == SculptBrush::smooth || ImGui::GetIO().KeyShift;
  drawBrushOutline(session.document, session.paint,
                   smooth ? glm::u8vec4(120, 255, 160, 255) : glm::u8vec4(255, 255, 255, 255),
                   graphics, view);
}

} // namespace sinew
