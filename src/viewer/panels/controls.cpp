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
  ImGui::TextUnformatted(name);
  ImGui::SameLine(ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(value.c_str()).x);
  ImGui::TextColored(faintColor(), "%s", value.c_str());
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
  ImGui::Checkbox(optionLabel(info.name).c_str(), &value);
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

bool choiceButton(const char* label, bool chosen, float width) {
  ImGui::PushStyleColor(ImGuiCol_Button,
                        ImGui::GetStyleColorVec4(chosen ? ImGuiCol_TabActive : ImGuiCol_Tab));
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, ImGui::GetStyleColorVec4(ImGuiCol_TabHovered));
  ImGui::PushStyleColor(ImGuiCol_Text,
                        chosen ? ImGui::GetStyleColorVec4(ImGuiCol_Text) : faintColor());
  const bool pressed = ImGui::Button(label, {width, 0});
  ImGui::PopStyleColor(3);
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

bool wideButton(const char* name, const char* text, bool enabled, int column, int columns) {
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float width = (ImGui::GetContentRegionMax().x - static_cast<float>(columns - 1) * gap) /
                          static_cast<float>(columns) -
                      scaled(2);
  if (column > 0) ImGui::SameLine();
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::Button(name, {width, 0});
  ImGui::EndDisabled();
  itemHelp(text);
  return pressed;
}

void section(const char* name) {
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::Spacing();
  heading(name);
}

} // namespace sinew
