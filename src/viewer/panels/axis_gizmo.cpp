// The axes in the corner of the picture: a click on an end looks from there. Below them the
// projection, which a click changes.

#include "editor/document/orbit.h"
#include "editor/document/views.h"
#include "editor/session.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/state/view_layout.h"
#include "viewer/window/theme.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <array>

namespace sinew {
namespace {

constexpr std::array kGizmoColors{IM_COL32(214, 84, 84, 255), IM_COL32(96, 176, 84, 255),
                                  IM_COL32(84, 124, 220, 255)};
constexpr std::array kNames{"x", "y", "z"};
constexpr std::array kFrom{"from the right (+x)", "from above (+y)", "from the front (+z)",
                           "from the left (-x)",  "from below (-y)", "from the back (-z)"};

void drawEnd(ImDrawList& draw, const ImVec2& middle, float radius, const AxisEnd& end, bool lit) {
  const auto axis = static_cast<std::size_t>(end.axis);
  const ImVec2 at{middle.x + radius * end.at.x, middle.y + radius * end.at.y};
  const ImU32 color = lit ? IM_COL32(255, 226, 84, 255) : kGizmoColors[axis];
  const float size = scaled(end.positive ? 7.5f : 5.0f);
  if (end.positive) draw.AddLine(middle, at, kGizmoColors[axis], scaled(1.5f));
  if (end.positive) {
    draw.AddCircleFilled(at, size, color);
    const ImVec2 text = ImGui::CalcTextSize(kNames[axis]);
    draw.AddText({at.x - 0.5f * text.x, at.y - 0.5f * text.y}, IM_COL32(20, 22, 26, 255),
                 kNames[axis]);
  } else {
    draw.AddCircleFilled(at, size, (color & 0x00ffffffu) | 0x70000000u);
    draw.AddCircle(at, size, color);
  }
}

const char* toString(Projection projection) {
  return projection == Projection::orthographic ? "Orthographic" : "Perspective";
}

// Readable over any picture; `top` is in the middle of its width.
void drawWord(const ImVec2& top, const char* word, bool lit) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 size = ImGui::CalcTextSize(word);
  const float left = top.x - 0.5f * size.x;
  draw.AddRectFilled({left - scaled(3), top.y}, {left + size.x + scaled(3), top.y + size.y},
                     IM_COL32(14, 16, 20, 130), scaled(3));
  draw.AddText({left, top.y}, lit ? IM_COL32(255, 226, 84, 255) : IM_COL32(226, 230, 236, 255),
               word);
}

} // namespace

void axisGizmo(Document& document, const Ui& ui, const Rect& picture) {
  const float radius = scaled(26);
  const float size = 2.0f * (radius + scaled(9));
  const char* word = toString(document.settings.projection);
  const float wide = std::max(size, ImGui::CalcTextSize(word).x + scaled(8));
  const float line = ImGui::GetTextLineHeight();
  if (!hasModel(document) || picture.width < 4.0f * size || picture.height < 3.0f * size) return;
  // Below the captions, which may be as wide as their views.
  const float down = viewCount(document) > 1 ? scaled(44) : scaled(4);
  ImGui::SetNextWindowPos({picture.x + picture.width - wide - scaled(4), picture.y + down});
  ImGui::SetNextWindowSize({wide, size + line});
  ImGui::SetNextWindowBgAlpha(0.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
  ImGui::Begin("##axes", nullptr,
               panelFlags() | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoScrollbar |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  const ImVec2 corner = ImGui::GetWindowPos();
  const ImVec2 middle{corner.x + 0.5f * wide, corner.y + 0.5f * size};
  ImGui::SetCursorScreenPos({middle.x - 0.5f * size, corner.y});
  const bool pressed = ImGui::InvisibleButton("ends", {size, size});
  const auto ends = axisEnds(document.settings.yaw, document.settings.pitch);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const vec2 place = vec2(mouse.x - middle.x, mouse.y - middle.y) / radius;
  const auto over = ImGui::IsItemHovered() ? axisEndAt(ends, place, 0.34f) : std::nullopt;
  for (const AxisEnd& end : ends)
    drawEnd(*ImGui::GetWindowDrawList(), middle, radius, end,
            over && over->axis == end.axis && over->positive == end.positive);
  if (over)
    ImGui::SetTooltip("%s",
                      kFrom[static_cast<std::size_t>(over->axis) + (over->positive ? 0u : 3u)]);
  if (pressed && over) lookFrom(document.settings, *over);
  ImGui::SetCursorScreenPos({corner.x, corner.y + size});
  if (ImGui::InvisibleButton("projection", {wide, line})) switchProjection(document, ui);
  itemHelp("perspective or orthographic: click to change  Shift+O");
  drawWord({middle.x, corner.y + size}, word, ImGui::IsItemHovered());
  ImGui::End();
  ImGui::PopStyleVar(2);
}

} // namespace sinew
