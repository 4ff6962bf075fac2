// Times and counts, below the joints.

#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <vector>

namespace sinew {
namespace {

struct Line {
  const char* name;
  const Rolling* values;
  ImVec4 color;
  const char* help;
};

void plot(const Line* lines, std::size_t count) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, scaled(54)};
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(at, {at.x + size.x, at.y + size.y}, IM_COL32(255, 255, 255, 10), scaled(3));
  float top = 0.5f; // milliseconds
  for (std::size_t i = 0; i < count; ++i)
    top = std::max(top, lines[i].values->largest());
  for (std::size_t i = 0; i < count; ++i) {
    const Rolling& values = *lines[i].values;
    ImVec2 before{};
    for (std::size_t k = 0; k < values.count(); ++k) {
      const std::size_t column = Rolling::kCapacity - values.count() + k;
      const ImVec2 p{at.x + size.x * static_cast<float>(column) / (Rolling::kCapacity - 1),
                     at.y + size.y * (1.0f - 0.94f * values.at(k) / top)};
      if (k > 0) draw.AddLine(before, p, ImGui::GetColorU32(lines[i].color), scaled(1.2f));
      before = p;
    }
  }
  draw.AddText({at.x + scaled(4), at.y + scaled(1)}, ImGui::GetColorU32(faintColor()),
               fmt::format("{:.{}f} ms", top, top < 10.0f ? 1 : 0).c_str());
  ImGui::Dummy(size);
}

void times(const Line* lines, std::size_t count) {
  if (!ImGui::BeginTable("##times", 3, ImGuiTableFlags_SizingFixedFit)) return;
  for (std::size_t i = 0; i < count; ++i) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextColored(lines[i].color, "%s", lines[i].name);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", lines[i].help);
    ImGui::TableNextColumn();
    ImGui::PushFont(monoFont());
    const float median = lines[i].values->median();
    ImGui::TextUnformatted(lines[i].values->count() == 0 ? "      - "
                                                         : fmt::format("{:8.3f}", median).c_str());
    ImGui::PopFont();
    ImGui::TableNextColumn();
    ImGui::TextColored(faintColor(), "ms");
  }
  ImGui::EndTable();
}

// Short enough for the column: 14796, 206 k, 1.95 M.
std::string shortCount(std::size_t count) {
  if (count < 100'000) return std::to_string(count);
  const double value = static_cast<double>(count);
  return count < 1'000'000 ? fmt::format("{:.0f} k", 1e-3 * value)
                           : fmt::format("{:.2f} M", 1e-6 * value);
}

void counts(const Document& document, const Statistics& statistics) {
  const DrawCount& drawn = statistics.drawn;
  const float frame = statistics.frame.median();
  std::string text;
  if (document.crowd) text += fmt::format("{} characters\n", document.crowd->members.size());
  text += fmt::format("{} vertices, {} triangles\n", shortCount(drawn.vertices),
                      shortCount(drawn.triangles));
  text += fmt::format("{} joints\n", document.joints.size());
  text += fmt::format("{} draw call{}", drawn.draws, drawn.draws == 1 ? "" : "s");
  if (frame > 0.0f) text += fmt::format(", {:.0f} fps", 1000.0f / frame);
  ImGui::TextUnformatted(text.c_str());
  if (document.crowd && frame > 0.0f)
    ImGui::Text("%.1f million vertices a second",
                1e-3 * static_cast<double>(drawn.vertices) / static_cast<double>(frame));
}

} // namespace

float statisticsPanel(const Document& document, const Graphics& graphics,
                      const Statistics& statistics, const Rect& r) {
  const Statistics& s = statistics;
  std::vector<Line> lines = {
      {"CPU pose",
       &s.pose,
       {0.55f, 0.82f, 0.49f, 1},
       "sampling the clip, computing node transforms"},
      {"CPU palette", &s.palette, {0.95f, 0.77f, 0.36f, 1}, "packing the palette"},
      {"CPU upload", &s.upload, {0.86f, 0.52f, 0.86f, 1}, "uploading the palette"},
      {"GPU draw", &s.gpu, {0.36f, 0.68f, 0.97f, 1}, "by timer query, the picture without panels"},
      {"Frame", &s.frame, {0.75f, 0.77f, 0.80f, 1}, "from one picture to the next"},
  };
  if (document.workbench.reference)
    lines.insert(lines.begin() + 2, {"CPU difference",
                                     &s.difference,
                                     {0.93f, 0.47f, 0.40f, 1},
                                     "the distances from another method, on the CPU"});
  ImGui::SetNextWindowPos({r.x, r.y + r.height}, ImGuiCond_Always, {0.0f, 1.0f});
  ImGui::SetNextWindowSizeConstraints({r.width, 0}, {r.width, 0.6f * r.height});
  ImGui::Begin("Statistics", nullptr, panelFlags() | ImGuiWindowFlags_AlwaysAutoResize);
  times(lines.data(), lines.size());
  const bool roomy = r.height > scaled(600); // else the joints need the place
  if (roomy) plot(lines.data(), lines.size() - 1);
  counts(document, statistics);
  for (const SkinChoice& choice : graphics.scene.skinChoices)
    if (document.settings.skinOn == SkinOn::automatic)
      ImGui::TextWrapped("%s", toString(choice).c_str());
  if (roomy) faintText(graphics.info.renderer);
  const float height = ImGui::GetWindowHeight();
  ImGui::End();
  return height;
}

} // namespace sinew
