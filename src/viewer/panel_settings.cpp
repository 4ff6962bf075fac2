// The settings, generated from visitSettings(): a group is a heading, a field its control, the help
// its tooltip. What belongs to time (the transport bar) or to a joint (its panel) is not repeated.

#include "app/method_parameters.h"
#include "skinning/methods.h"
#include "viewer/panels.h"
#include "viewer/session.h"
#include "viewer/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <type_traits>
#include <utility>

namespace sinew {
namespace {

// "light-yaw" -> "Light yaw"
std::string labelOf(std::string_view name) {
  std::string label(name);
  std::replace(label.begin(), label.end(), '-', ' ');
  label[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(label[0])));
  return label;
}

std::string titleOf(const OptionInfo& info, const std::string& choice) {
  return info.name == "method" ? std::string(findMethod(choice).title) : choice;
}

void tooltip(const OptionInfo& info) {
  if (!ImGui::IsItemHovered()) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(scaled(320));
  ImGui::Text("%.*s", static_cast<int>(info.help.size()), info.help.data());
  ImGui::TextColored(faintColor(), "--%.*s", static_cast<int>(info.name.size()), info.name.data());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void control(const OptionInfo& info, bool& value) {
  ImGui::Checkbox(labelOf(info.name).c_str(), &value);
}

// The value stands beside the label: on the slider the grab would cover it.
void control(const OptionInfo& info, float& value) {
  ImGui::TextUnformatted(labelOf(info.name).c_str());
  const std::string text = fmt::format("{:.3g}", value);
  ImGui::SameLine(ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x);
  ImGui::TextColored(faintColor(), "%s", text.c_str());
  ImGui::SetNextItemWidth(-1.0f);
  const std::string id = fmt::format("##{}", info.name);
  const bool wide = info.minimum > 0.0f && info.maximum / info.minimum > 100.0f;
  const ImGuiSliderFlags flags =
      ImGuiSliderFlags_AlwaysClamp | (wide ? ImGuiSliderFlags_Logarithmic : 0);
  ImGui::SliderFloat(id.c_str(), &value, info.minimum, info.maximum, "", flags);
}

// Steps of four, as the vertex attributes come.
void control(const OptionInfo& info, int& value) {
  ImGui::TextUnformatted(labelOf(info.name).c_str());
  for (int choice = static_cast<int>(info.minimum); choice <= static_cast<int>(info.maximum);
       choice += 4) {
    if (choice > static_cast<int>(info.minimum)) ImGui::SameLine();
    ImGui::RadioButton(fmt::format("{}##{}", choice, info.name).c_str(), &value, choice);
  }
}

void control(const OptionInfo& info, vec3& value) {
  ImGui::ColorEdit3(labelOf(info.name).c_str(), &value.x,
                    ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_PickerHueWheel);
}

void control(const OptionInfo& info, std::string& value) {
  if (info.choices.empty()) return;
  ImGui::TextUnformatted(labelOf(info.name).c_str());
  ImGui::SetNextItemWidth(-1.0f);
  if (!ImGui::BeginCombo(fmt::format("##{}", info.name).c_str(), titleOf(info, value).c_str()))
    return;
  for (const std::string& choice : info.choices)
    if (ImGui::Selectable(titleOf(info, choice).c_str(), choice == value)) value = choice;
  ImGui::EndCombo();
}

void parameterControl(const Parameter& parameter, Settings& settings) {
  const OptionInfo info{parameter.name,    "Skinning",        parameter.help,
                        parameter.minimum, parameter.maximum, {}};
  float value = parameterIn(settings.parameters, parameter);
  const float before = value;
  ImGui::BeginGroup();
  if (parameter.choices.empty()) {
    control(info, value);
    if (parameter.whole) value = std::round(value);
  } else {
    std::string word(parameter.choices[static_cast<std::size_t>(value)]);
    OptionInfo choices = info;
    choices.choices.assign(parameter.choices.begin(), parameter.choices.end());
    control(choices, word);
    const auto found = std::find(parameter.choices.begin(), parameter.choices.end(), word);
    value = static_cast<float>(found - parameter.choices.begin());
  }
  ImGui::EndGroup();
  tooltip(info);
  if (value != before) settings.parameters = withParameter(settings.parameters, parameter, value);
}

// After the method's combo: what it is.
void methodNote(const Settings& settings) {
  const Method& method = findMethod(settings.method);
  faintText(std::string(method.summary));
  if (!method.paper.empty()) faintText(std::string(method.paper));
}

} // namespace

void settingsTab(Viewer& viewer) {
  std::string group;
  bool open = false;
  bool beside = false; // the control before was the left one of two check boxes
  visitSettings(viewer.settings, [&](const OptionInfo& info, auto& value) {
    if (info.group == "Movement" || info.group == "Viewer") return;
    if (info.group != group) {
      group = info.group;
      beside = false;
      ImGui::SetNextItemOpen(true, ImGuiCond_FirstUseEver);
      open = ImGui::CollapsingHeader(group.c_str());
    }
    if (!open) return;
    const bool check = std::is_same_v<std::decay_t<decltype(value)>, bool>;
    if (check && beside) ImGui::SameLine(0.52f * ImGui::GetContentRegionAvail().x);
    beside = check && !beside;
    // The crowd needs the storage that draws it in one call.
    const bool fixed = viewer.crowd && info.name == "palette";
    ImGui::BeginDisabled(fixed);
    ImGui::BeginGroup();
    control(info, value);
    ImGui::EndGroup();
    ImGui::EndDisabled();
    tooltip(info);
    if (info.name == "method") methodNote(viewer.settings);
    if (info.name == "set")
      for (const Parameter& parameter : findMethod(viewer.settings.method).parameters)
        parameterControl(parameter, viewer.settings);
  });
}

float sidePanel(Viewer& viewer, const Rect& r) {
  const float widest = 0.4f * r.width;
  const float usual = std::min(scaled(290), 0.27f * r.width);
  ImGui::SetNextWindowPos({r.x + r.width, r.y}, ImGuiCond_Always, {1.0f, 0.0f});
  ImGui::SetNextWindowSize({usual, r.height}, ImGuiCond_FirstUseEver);
  ImGui::SetNextWindowSizeConstraints({std::min(scaled(180), widest), r.height},
                                      {widest, r.height});
  ImGui::Begin("Side", nullptr, panelFlags());
  const Model& model = viewer.bench.model;
  const std::size_t notes = model.repairs.size() + model.warnings.size();
  const std::string report =
      notes == 0 ? "Model###report" : fmt::format("Model ({})###report", notes);
  if (ImGui::BeginTabBar("##tabs")) {
    if (ImGui::BeginTabItem("Settings")) {
      ImGui::BeginChild("##settings");
      settingsTab(viewer);
      ImGui::EndChild();
      ImGui::EndTabItem();
    }
    const bool front = std::exchange(viewer.ui.showReport, false);
    if (ImGui::BeginTabItem(report.c_str(), nullptr,
                            front ? ImGuiTabItemFlags_SetSelected : ImGuiTabItemFlags_None)) {
      ImGui::BeginChild("##reportbody");
      reportTab(viewer);
      ImGui::EndChild();
      ImGui::EndTabItem();
    }
    ImGui::EndTabBar();
  }
  const float width = ImGui::GetWindowWidth();
  ImGui::End();
  return width;
}

} // namespace sinew
