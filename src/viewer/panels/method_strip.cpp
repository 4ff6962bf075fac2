// The strip under the menu bar: a chip for each method of the table, the views, and what
// differences are from.

#include "app/settings_view.h"
#include "editor/document/views.h"
#include "picture/captions.h"
#include "skinning/methods.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>

namespace sinew {
namespace {

constexpr int kMaxLines = 3; // then it scrolls

// Places items of a width beside one another, in as many lines as they need.
struct Flow {
  float room = 0.0f; // of a line
  float used = 0.0f; // of the last one
  int lines = 1;

  // False where the item begins another line.
  bool beside(float width) {
    const float gap = used > 0.0f ? scaled(4) : 0.0f;
    const bool fits = used == 0.0f || used + gap + width <= room;
    used = fits ? used + gap + width : width;
    lines += fits ? 0 : 1;
    return fits;
  }
};

void place(Flow& flow, float width) {
  const bool first = flow.used == 0.0f;
  if (flow.beside(width) && !first) ImGui::SameLine(0, scaled(4));
}

float chipWidth(const std::string& label) {
  return ImGui::CalcTextSize(label.c_str()).x + 2.0f * scaled(7);
}

void chipHelp(const Method& method, std::size_t number) {
  if (!ImGui::IsItemHovered()) return;
  std::string text(method.summary);
  if (!method.paper.empty()) text += fmt::format("\n{}", method.paper);
  text += "\nShift and click: in a view of its own";
  const std::string key = methodKey(number);
  tooltip(text, fmt::format("--method {}{}", method.name,
                            key.empty() ? key : fmt::format("   key {}", key)));
}

void chip(Document& document, const Method& method, std::size_t number, Flow& flow) {
  const std::vector<MethodChoice>& choices = document.settings.methods;
  const bool active = activeChoice(document).method == &method;
  const bool shown = std::ranges::find(choices, &method, &MethodChoice::method) != choices.end();
  const std::string label = fmt::format("{}  {}", methodKey(number), method.title);
  place(flow, chipWidth(label));
  const ImVec4 none{0.0f, 0.0f, 0.0f, 0.0f};
  ImGui::PushStyleColor(ImGuiCol_Button, active  ? ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive)
                                         : shown ? ImGui::GetStyleColorVec4(ImGuiCol_Header)
                                                 : none);
  ImGui::PushStyleColor(ImGuiCol_Text, active  ? ImVec4(1.0f, 1.0f, 1.0f, 1.0f)
                                       : shown ? ImGui::GetStyleColorVec4(ImGuiCol_Text)
                                               : faintColor());
  const bool pressed = ImGui::Button(fmt::format("{}##{}", label, method.name).c_str());
  ImGui::PopStyleColor(2);
  chipHelp(method, number);
  if (!pressed) return;
  if (ImGui::GetIO().KeyShift) addView(document);
  setActiveChoice(document, {&method, activeChoice(document).parameters});
}

void viewButtons(Document& document, Flow& flow) {
  ImGui::BeginDisabled(document.crowd.has_value());
  place(flow, chipWidth("+"));
  if (ImGui::Button("+")) addView(document);
  ImGui::EndDisabled();
  itemHelp("another view beside the others  V");
  if (viewCount(document) == 1) return;
  place(flow, chipWidth("\xe2\x80\x93"));
  if (ImGui::Button("\xe2\x80\x93")) removeView(document);
  itemHelp("remove the active view  Shift+V");
}

// The colours of the differences, for all views.
void legend(const Document& document, Flow& flow) {
  const std::string end = differenceEnd(document.bench, document.settings);
  const float bar = scaled(90);
  const float text = ImGui::CalcTextSize(end.c_str()).x;
  place(flow, bar + text + scaled(22));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetFrameHeight();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float left = at.x + scaled(12);
  const ImU32 color = ImGui::GetColorU32(ImGuiCol_Text);
  const float line = at.y + 0.5f * (height - ImGui::GetTextLineHeight());
  draw.AddText({at.x, line}, color, "0");
  const std::vector<vec3> colors = fieldColors(document.settings);
  const auto packed = [&](std::size_t i) {
    return ImGui::GetColorU32(ImVec4(colors[i].x, colors[i].y, colors[i].z, 1.0f));
  };
  const float step = bar / static_cast<float>(colors.size() - 1);
  for (std::size_t i = 0; i + 1 < colors.size(); ++i) {
    const float x = left + step * static_cast<float>(i);
    draw.AddRectFilledMultiColor({x, at.y + 0.3f * height}, {x + step, at.y + 0.7f * height},
                                 packed(i), packed(i + 1), packed(i + 1), packed(i));
  }
  draw.AddText({left + bar + scaled(4), line}, color, end.c_str());
  ImGui::Dummy({bar + text + scaled(20), height});
  itemHelp("the distance from where that method puts each vertex, as a share of the model's size");
}

void difference(Document& document, Flow& flow) {
  std::optional<MethodChoice>& from = document.settings.difference;
  bool on = from.has_value();
  const char* name = "Difference from";
  const float width = scaled(150);
  place(flow, ImGui::CalcTextSize(name).x + ImGui::GetFrameHeight() + scaled(12) + width);
  ImGui::BeginDisabled(document.crowd.has_value());
  if (ImGui::Checkbox(name, &on)) toggleDifference(document);
  itemHelp("colours by the distance from where this method puts each vertex  D");
  const Method& now = from ? *from->method : findMethod("lbs");
  ImGui::SameLine(0, scaled(4));
  ImGui::SetNextItemWidth(width);
  if (ImGui::BeginCombo("##difference", std::string(now.title).c_str())) {
    for (const Method& method : methods())
      if (ImGui::Selectable(std::string(method.title).c_str(), &method == &now))
        from = MethodChoice{&method};
    ImGui::EndCombo();
  }
  ImGui::EndDisabled();
  if (!document.bench.differences.empty()) legend(document, flow);
}

} // namespace

float methodStrip(Document& document, Ui& ui, const Rect& r) {
  const float padding = scaled(5);
  const ImGuiStyle& style = ImGui::GetStyle();
  const float line = ImGui::GetFrameHeight() + scaled(3);
  const int lines = std::clamp(ui.stripLines, 1, kMaxLines);
  const float height = static_cast<float>(lines) * line - scaled(3) + 2.0f * padding;
  ImGui::SetNextWindowPos({r.x, r.y});
  ImGui::SetNextWindowSize({r.width, height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {scaled(10), padding});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {scaled(4), scaled(3)});
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {scaled(7), style.FramePadding.y});
  ImGui::Begin("Methods", nullptr,
               panelFlags() | ImGuiWindowFlags_NoResize |
                   (ui.stripLines <= kMaxLines ? ImGuiWindowFlags_NoScrollbar : 0));
  Flow flow{ImGui::GetContentRegionAvail().x};
  std::size_t number = 0;
  for (const Method& method : methods())
    chip(document, method, ++number, flow);
  viewButtons(document, flow);
  difference(document, flow);
  ui.stripLines = flow.lines;
  ImGui::End();
  ImGui::PopStyleVar(3);
  return height;
}

} // namespace sinew
