#include "viewer/tools/sculpt_tool.h"

#include "editor/paint/stroke.h"
#include "viewer/state/view_layout.h"
#include "viewer/tools/paint_tool.h"

#include <imgui/imgui.h>

namespace sinew {

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
