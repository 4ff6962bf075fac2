#include "viewer/panels/controls.h"

#include "core/text.h"
#include "viewer/panels/panels.h"
#include "viewer/state/short_text.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

Fits fitsInto(float width) {
  return [width](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x <= width; };
}

// What is shown of a control's label.
std::string visiblePart(std::string_view label) {
  return std::string(label.substr(0, label.find("##")));
}

// The width of one of the columns of wide buttons.
float columnWidth(int columns) {
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  return (ImGui::GetContentRegionMax().x - static_cast<float>(columns - 1) * gap) /
             static_cast<float>(columns) -
         scaled(2);
}

} // namespace

std::string optionLabel(std::string_view name) {
  std::string label(name);
  std::replace(label.begin(), label.end(), '-', ' ');
  return capitalised(std::move(label));
}

void tooltip(std::string_view help, const std::string& option) {
  if (!ImGui::IsItemHovered()) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(scaled(320));
  ImGui::Text("%.*s", static_cast<int>(help.size()), help.data());
  ImGui::TextColored(faintColor(), "%s", option.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void labelAbove(const char* name) {
  ImGui::TextUnformatted(name);
  ImGui::SetNextItemWidth(-1.0f);
}

void labelAbove(const char* name, const std::string& value) {
  const float room = ImGui::GetContentRegionAvail().x;
  const float end = ImGui::GetCursorPosX() + room;
  const std::string shown = shortenedText(value, room);
  const float width = ImGui::CalcTextSize(shown.c_str()).x;
  ImGui::TextUnformatted(name);
  besideIfRoom(width);
  ImGui::SetCursorPosX(end - width);
  ImGui::TextColored(faintColor(), "%s", shown.c_str());
  if (shown != value) itemHelp(value.c_str());
  ImGui::SetNextItemWidth(-1.0f);
}

std::string optionFor(const OptionInfo& info) {
  return fmt::format("--{}", info.name);
}

std::string optionFor(const Parameter& parameter) {
  return fmt::format("--set {}=VALUE", parameter.name);
}

void tooltip(const OptionInfo& info) {
  tooltip(info.help, optionFor(info));
}

void control(const OptionInfo& info, bool& value) {
  checkbox(optionLabel(info.name).c_str(), &value);
}

void control(const OptionInfo& info, float& value) {
  labelAbove(optionLabel(info.name).c_str(), fmt::format("{:.3g}", value));
  const std::string id = fmt::format("##{}", info.name);
  const bool wide = info.minimum > 0.0f && info.maximum / info.minimum > 100.0f;
  const ImGuiSliderFlags flags =
      ImGuiSliderFlags_AlwaysClamp | (wide ? ImGuiSliderFlags_Logarithmic : 0);
  ImGui::SliderFloat(id.c_str(), &value, info.minimum, info.maximum, "", flags);
}

void control(const OptionInfo& info, int& value) {
  labelAbove(optionLabel(info.name).c_str(), std::to_string(value));
  ImGui::SliderInt(fmt::format("##{}", info.name).c_str(), &value, static_cast<int>(info.minimum),
                   static_cast<int>(info.maximum), "", ImGuiSliderFlags_AlwaysClamp);
}

void control(const OptionInfo& info, std::string& value) {
  if (info.choices.empty()) return;
  ImGui::TextUnformatted(optionLabel(info.name).c_str());
  ImGui::SetNextItemWidth(-1.0f);
  if (!ImGui::BeginCombo(fmt::format("##{}", info.name).c_str(), value.c_str())) return;
  for (const std::string& choice : info.choices)
    if (ImGui::Selectable(choice.c_str(), choice == value)) value = choice;
  ImGui::EndCombo();
}

// The words, and a colour of one's own, which starts at that of the word.
void control(const OptionInfo& info, Backdrop& value) {
  static constexpr const char* kOwn = "colour";
  const bool own = value.kind == BackdropKind::color;
  OptionInfo words = info;
  words.choices.emplace_back(kOwn);
  std::string word = own ? kOwn : settingText(value);
  control(words, word);
  if (word == kOwn && !own)
    value = {BackdropKind::color, getColor(value)};
  else if (word != kOwn)
    readSetting(word, value);
  if (value.kind == BackdropKind::color)
    ImGui::ColorEdit3("##color", &value.color.x, ImGuiColorEditFlags_PickerHueWheel);
}

std::string shortenedText(const std::string& text, float width) {
  return elided(text, fitsInto(width));
}

std::string wrappedText(const std::string& text, float width) {
  return wrapped(text, fitsInto(width));
}

std::string shortenedLabel(const char* label, float width) {
  if (ImGui::CalcTextSize(label, nullptr, true).x <= width) return label;
  return fmt::format("{}###{}", shortenedText(visiblePart(label), width), label);
}

bool button(const char* label, float width) {
  const float padding = 2.0f * ImGui::GetStyle().FramePadding.x;
  const float room = width > 0.0f ? width : ImGui::GetContentRegionAvail().x;
  const std::string shown = shortenedLabel(label, room - padding);
  const bool pressed = ImGui::Button(shown.c_str(), {width, 0});
  if (shown != label) itemHelp(visiblePart(label).c_str());
  return pressed;
}

bool checkbox(const char* label, bool* value) {
  const float room = ImGui::GetContentRegionAvail().x - checkboxWidth("");
  const std::string shown = shortenedLabel(label, room);
  const bool pressed = ImGui::Checkbox(shown.c_str(), value);
  if (shown != label) itemHelp(visiblePart(label).c_str());
  return pressed;
}

bool header(const char* label) {
  // The arrow before the label and the space behind it take a letter's height and three paddings.
  const float arrow = ImGui::GetFontSize() + 3.0f * ImGui::GetStyle().FramePadding.x;
  const std::string whole = visiblePart(label);
  const std::string shown = shortenedText(whole, ImGui::GetContentRegionAvail().x - arrow);
  // With one identifier at every width it stays open.
  const bool open = ImGui::CollapsingHeader(fmt::format("{}###{}", shown, label).c_str());
  if (shown != whole) itemHelp(whole.c_str());
  return open;
}

float buttonWidth(const char* label) {
  return ImGui::CalcTextSize(label, nullptr, true).x + 2.0f * ImGui::GetStyle().FramePadding.x;
}

float checkboxWidth(const char* label) {
  return ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x +
         ImGui::CalcTextSize(label, nullptr, true).x;
}

bool besideIfRoom(float width) {
  const float end = ImGui::GetWindowPos().x + ImGui::GetContentRegionMax().x;
  const float left = ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x;
  if (left + width > end) return false;
  ImGui::SameLine();
  return true;
}

bool choiceButton(const char* label, bool chosen, float width) {
  ImGui::PushStyleColor(ImGuiCol_Button,
                        ImGui::GetStyleColorVec4(chosen ? ImGuiCol_TabActive : ImGuiCol_Tab));
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, ImGui::GetStyleColorVec4(ImGuiCol_TabHovered));
  ImGui::PushStyleColor(ImGuiCol_Text,
                        chosen ? ImGui::GetStyleColorVec4(ImGuiCol_Text) : faintColor());
  const float room = width - 2.0f * ImGui::GetStyle().FramePadding.x;
  const std::string shown = width > 0.0f ? shortenedLabel(label, room) : label;
  const bool pressed = ImGui::Button(shown.c_str(), {width, 0});
  ImGui::PopStyleColor(3);
  if (shown != label) itemHelp(visiblePart(label).c_str());
  return pressed;
}

void itemHelp(const char* text) {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(scaled(320));
  ImGui::TextUnformatted(text);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

bool hasRoomInColumn(const char* name, int columns) {
  return columns == 1 || buttonWidth(name) <= columnWidth(columns);
}

bool wideButton(const char* name, const char* text, bool enabled, int column, int columns) {
  const bool room = hasRoomInColumn(name, columns);
  float width = columnWidth(room ? columns : 1);
  // The button before this one may have the line for itself.
  if (column > 0 && !besideIfRoom(width)) width = columnWidth(1);
  ImGui::BeginDisabled(!enabled);
  const bool pressed = button(name, width);
  ImGui::EndDisabled();
  itemHelp(text);
  return pressed;
}

void section(const char* name) {
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::Spacing();
  ImGui::PushFont(boldFont());
  textInLines(name);
  ImGui::PopFont();
}

} // namespace sinew
