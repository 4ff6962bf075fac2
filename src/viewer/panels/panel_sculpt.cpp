// Sculpting a corrective shape of the pose that is shown.

#include "editor/paint/sculpt.h"
#include "editor/session.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

namespace sinew {
namespace {

void brushButton(Session& session, const char* name, SculptBrush brush, const char* help,
                 float width) {
  Document& document = session.document;
  const bool taken = document.tool == Tool::sculpt && session.sculpt.brush == brush;
  if (choiceButton(name, taken, width)) {
    document.tool = taken ? Tool::rotate : Tool::sculpt;
    session.sculpt.brush = brush;
  }
  itemHelp(help);
}

} // namespace

void sculptControls(Session& session) {
  Document& document = session.document;
  heading("Sculpt a corrective shape");
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float width = 0.5f * (ImGui::GetContentRegionAvail().x - gap);
  brushButton(session, "Push", SculptBrush::push,
              "moves the posed surface outward; Ctrl: inward, Shift: smooths", width);
  ImGui::SameLine();
  brushButton(session, "Smooth", SculptBrush::smooth, "evens the posed surface", width);
  if (!sculpting(document)) return;
  Brush& brush = session.paint.choices.brush;
  const float size = computeBounds(document.workbench.rig.positions).size();
  namedSlider("radius", &brush.radius, 0.001f * size, 0.3f * size, "%.3g");
  itemHelp("in the model's unit in the bind pose; [ and ] change it");
  namedSlider("strength", &brush.strength, 0.01f, 1.0f, "%.2f");
  const std::string shape = shapeHere(document);
  faintText(shape.empty() ? "A stroke makes a shape of this pose, weighed by the joints that are "
                            "rotated in it."
                          : fmt::format("Changes '{}', the shape of this pose.", shape));
}

} // namespace sinew
