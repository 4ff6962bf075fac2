// Names of joints over the views: all that there is room for, or the one under the mouse.

#include "editor/document/views.h"
#include "editor/session.h"
#include "viewer/panels/panels.h"
#include "viewer/state/view_layout.h"
#include "viewer/window/theme.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <vector>

namespace sinew {
namespace {

struct Label {
  ImVec2 min, max;
};

bool overlaps(const Label& a, const Label& b) {
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

void drawLabel(const Label& label, const std::string& name, bool strong) {
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  draw.AddRectFilled(label.min, label.max, IM_COL32(14, 16, 20, strong ? 220 : 130), scaled(3));
  draw.AddText({label.min.x + scaled(3), label.min.y},
               strong ? IM_COL32(255, 226, 84, 255) : IM_COL32(226, 230, 236, 255), name.c_str());
}

// Where the name of a joint stands beside it; nothing where it is not seen.
std::optional<Label> labelAt(const View& view, const Rect& cell, const vec3& place,
                             const std::string& name) {
  const vec3 seen = screenFromWorld(view, place);
  const auto width = static_cast<float>(view.viewport.width);
  const auto height = static_cast<float>(view.viewport.height);
  if (seen.z > 1.0f || seen.x < 0.0f || seen.y < 0.0f || seen.x > width || seen.y > height)
    return std::nullopt;
  const float unit = cell.width / width;
  const ImVec2 size = ImGui::CalcTextSize(name.c_str());
  const float left =
      std::min(cell.x + unit * seen.x + scaled(8), cell.x + cell.width - size.x - scaled(6));
  const float top = cell.y + unit * seen.y - 0.5f * size.y;
  return Label{{left, top}, {left + size.x + scaled(6), top + size.y}};
}

} // namespace

void jointLabels(const Document& document, const Ui& ui, const Rect& picture) {
  if (!hasModel(document) || document.crowd || (!ui.jointNames && !ui.hoveredJoint)) return;
  const std::vector<Viewport> cells = shownCells(document, ui);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].width == 0 || sideModelIn(document, i) != nullptr) continue;
    const Rect cell = rectOfCell(ui, cells[i], picture);
    const View view = currentView(document, ui, i);
    std::vector<Label> placed;
    const auto add = [&](std::uint32_t node) {
      const std::string& name = nodeName(document, node);
      const auto label = labelAt(view, cell, vec3(document.workbench.modelFromNode[node][3]), name);
      const auto taken = [&](const Label& other) { return overlaps(*label, other); };
      if (!label || std::ranges::any_of(placed, taken)) return;
      placed.push_back(*label);
      drawLabel(*label, name, node == document.selected || node == ui.hoveredJoint);
    };
    // The requested names come first, since there may not be room for all.
    if (ui.hoveredJoint) add(*ui.hoveredJoint);
    if (!ui.jointNames) continue;
    if (document.selected) add(*document.selected);
    for (const std::uint32_t node : document.joints)
      if (node != ui.hoveredJoint && node != document.selected && !isHidden(document, node))
        add(node);
  }
}

} // namespace sinew
