// The strip under the menu bar: a chip for each method of the table, the views, and what
// differences are from.

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
constexpr float kComboWidth = 150.0f;
constexpr const char* kDifference = "Difference from";

// Places items of a width beside one another, in as many lines as they need.
struct Flow {
  float room = 0.0f; // width of a line
  float used = 0.0f; // used width of the last line
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

void chipHelp(const Method& method, std::size_t number, Ui& ui, const MethodPictures& pictures) {
  if (!ImGui::IsItemHovered()) return;
  ImGui::BeginTooltip();
  methodPicture(method, ui, pictures, scaled(320));
  ImGui::EndTooltip();
  std::string text = fmt::format("{}\n{}", method.title, method.summary);
  if (!method.paper.empty()) text += fmt::format("\n{}", method.paper);
  text += "\nShift and click: in a view of its own";
  const std::string key = methodKey(number);
  tooltip(text, fmt::format("--method {}{}", method.name,
                            key.empty() ? key : fmt::format("   key {}", key)));
}

std::string chipLabel(const Method& method, std::size_t number, bool shortened) {
  return fmt::format("{}  {}", methodKey(number), shortened ? method.shortTitle : method.title);
}

// Whether chips with whole titles leave room in one line for what stands behind them.
bool titlesFit(float room, float behind) {
  float width = behind;
  std::size_t number = 0;
  for (const Method& method : methods())
    width += chipWidth(chipLabel(method, ++number, false)) + scaled(4);
  return width <= room;
}

void chip(Document& document, Ui& ui, const MethodPictures& pictures, const Method& method,
          std::size_t number, bool shortened, Flow& flow) {
  const std::vector<MethodChoice>& choices = document.settings.methods;
  const bool active = activeChoice(document).method == &method;
  const bool shown = std::ranges::find(choices, &method, &MethodChoice::method) != choices.end();
  const std::string label = chipLabel(method, number, shortened);
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
  chipHelp(method, number, ui, pictures);
  if (!pressed) return;
  if (ImGui::GetIO().KeyShift) addView(document);
  setActiveChoice(document, {&method, activeChoice(document).parameters});
}

void viewButtons(Document& document, Flow& flow) {
  ImGui::BeginDisabled(document.crowd.has_value());
  place(flow, chipWidth("+"));
  if (ImGui::Button("+")) addView(document);
  ImGui::EndDisabled();
  itemHelp("add a view  V");
  if (viewCount(document) == 1) return;
  place(flow, chipWidth("\xe2\x80\x93"));
  if (ImGui::Button("\xe2\x80\x93")) removeView(document);
  itemHelp("remove the active view  Shift+V");
}

// The colours of the differences, for all views.
void legend(const Document& document, Flow& flow) {
  const std::string end = differenceEnd(document.workbench, document.settings);
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
  drawFieldColors(draw, document.settings, {left, at.y + 0.3f * height, bar, 0.4f * height});
  draw.AddText({left + bar + scaled(4), line}, color, end.c_str());
  ImGui::Dummy({bar + text + scaled(20), height});
  itemHelp(
      "distance of each vertex from its position by that method, as a share of the model's size");
}

void difference(Document& document, Flow& flow) {
  std::optional<MethodChoice>& from = document.settings.difference;
  bool on = from.has_value();
  const float width = scaled(kComboWidth);
  place(flow, ImGui::CalcTextSize(kDifference).x + ImGui::GetFrameHeight() + scaled(12) + width);
  ImGui::BeginDisabled(document.crowd.has_value());
  if (ImGui::Checkbox(kDifference, &on)) toggleDifference(document);
  itemHelp("colours by the distance of each vertex from its position by this method  D");
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
  if (!document.workbench.differences.empty()) legend(document, flow);
}

} // namespace

float methodStrip(Document& document, Ui& ui, const MethodPictures& pictures, const Rect& r) {
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
  const float behind = 2.0f * chipWidth("+") + ImGui::CalcTextSize(kDifference).x +
                       ImGui::GetFrameHeight() + scaled(kComboWidth + 24);
  const bool shortened = !titlesFit(flow.room, behind);
  std::size_t number = 0;
  for (const Method& method : methods())
    chip(document, ui, pictures, method, ++number, shortened, flow);
  viewButtons(document, flow);
  difference(document, flow);
  ui.stripLines = flow.lines;
  ImGui::End();
  ImGui::PopStyleVar(3);
  return height;
}

} // namespace sinew
