// What stands over the views: the method of each, and which is active.

#include "viewer/panels.h"
#include "viewer/theme.h"
#include "viewer/views.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>

namespace sinew {
namespace {

// 14796 -> "14.8 k"
std::string shortNumber(std::size_t number) {
  const auto value = static_cast<double>(number);
  if (number < 1000) return std::to_string(number);
  return number < 1'000'000 ? fmt::format("{:.1f} k", 1e-3 * value)
                            : fmt::format("{:.2f} M", 1e-6 * value);
}

// Triangles and GPU time, or the time alone where there is little room.
std::string costOf(const Viewer& viewer, std::size_t view, float room) {
  if (view >= viewer.statistics.views.size()) return {};
  const ViewStatistics& of = viewer.statistics.views[view];
  const std::string time =
      of.gpu.count() > 0 ? fmt::format("{:.2f} ms", of.gpu.median()) : std::string();
  const std::string all = fmt::format("{} triangles{}{}", shortNumber(of.drawn.triangles),
                                      time.empty() ? "" : ", ", time);
  return ImGui::CalcTextSize(all.c_str()).x < room ? all : time;
}

// A cell in ImGui units.
Rect rectOf(const Viewer& viewer, const Viewport& cell, const Rect& picture) {
  const Viewport& area = viewer.viewport;
  const float unit = picture.width / static_cast<float>(area.width);
  return {picture.x + unit * static_cast<float>(cell.x - area.x),
          picture.y + unit * static_cast<float>(area.y + area.height - cell.y - cell.height),
          unit * static_cast<float>(cell.width), unit * static_cast<float>(cell.height)};
}

// Words on a dark strip, its upper or lower left corner at `corner`.
void strip(const Rect& cell, const ImVec2& corner, const std::string& text, ImU32 color,
           bool upwards) {
  if (text.empty()) return;
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  const float pad = scaled(5);
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const float top = upwards ? corner.y - size.y - pad : corner.y;
  const ImVec2 end{std::min(corner.x + size.x + 2 * pad, cell.x + cell.width), top + size.y + pad};
  draw.AddRectFilled({corner.x, top}, end, IM_COL32(14, 16, 20, 170), scaled(3));
  draw.PushClipRect({corner.x, top}, end, true);
  draw.AddText({corner.x + pad, top + 0.5f * pad}, color, text.c_str());
  draw.PopClipRect();
}

} // namespace

void viewCaptions(const Viewer& viewer, const Rect& picture) {
  const std::vector<MethodChoice> choices = methodChoices(viewer.settings.method);
  if (choices.size() == 1 || viewer.bench.bound.empty()) return;
  const std::vector<Viewport> cells = shownCells(viewer);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].width == 0) continue;
    const Rect rect = rectOf(viewer, cells[i], picture);
    const float edge = scaled(5);
    strip(rect, {rect.x + edge, rect.y + edge}, titleOf(choices[i]), IM_COL32(238, 240, 243, 255),
          false);
    strip(rect, {rect.x + edge, rect.y + rect.height - edge},
          costOf(viewer, i, rect.width - 4 * edge), IM_COL32(168, 174, 184, 255), true);
    if (i == activeView(viewer) && !viewer.views.alone)
      ImGui::GetBackgroundDrawList()->AddRect({rect.x, rect.y},
                                              {rect.x + rect.width, rect.y + rect.height},
                                              ImGui::GetColorU32(accentColor()), 0.0f, 0, 1.5f);
  }
}

} // namespace sinew
