// The methods of the views in the settings: one line a view, and the parameters of the active one.

#include "app/method_parameters.h"
#include "skinning/methods.h"
#include "viewer/controls.h"
#include "viewer/panels.h"
#include "viewer/session.h"
#include "viewer/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// The method of one view; touching it makes the view the active one.
void methodCombo(Viewer& viewer, const MethodChoice& choice, std::size_t view) {
  ImGui::SetNextItemWidth(-1.0f);
  if (!ImGui::BeginCombo(fmt::format("##method{}", view).c_str(),
                         std::string(findMethod(choice.method).title).c_str()))
    return;
  for (const Method& method : methods())
    if (ImGui::Selectable(std::string(method.title).c_str(), choice.method == method.name)) {
      viewer.views.active = view;
      setActiveChoice(viewer, {std::string(method.name), choice.parameters});
    }
  ImGui::EndCombo();
}

void viewLine(Viewer& viewer, const MethodChoice& choice, std::size_t view) {
  const bool active = view == activeView(viewer);
  ImGui::PushID(static_cast<int>(view));
  if (ImGui::RadioButton("##active", active)) viewer.views.active = view;
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("the view that keys and parameters are for");
  ImGui::PopID();
  ImGui::SameLine();
  methodCombo(viewer, choice, view);
}

void parameterControl(Viewer& viewer, const Parameter& parameter) {
  MethodChoice choice = activeChoice(viewer);
  const OptionInfo info{parameter.name,    "Skinning",        parameter.help,
                        parameter.minimum, parameter.maximum, {}};
  float value = parameterIn(allParameters(viewer.settings, choice), parameter);
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
  if (value == before) return;
  choice.parameters = withParameter(choice.parameters, parameter, value,
                                    parameterIn(viewer.settings.parameters, parameter));
  setActiveChoice(viewer, choice);
}

} // namespace

void methodControls(Viewer& viewer) {
  const std::vector<MethodChoice> choices = methodChoices(viewer.settings.method);
  ImGui::TextUnformatted(choices.size() == 1 ? "Method" : "Methods");
  if (choices.size() == 1)
    methodCombo(viewer, choices.front(), 0);
  else
    for (std::size_t i = 0; i < choices.size(); ++i)
      viewLine(viewer, choices[i], i);
  ImGui::BeginDisabled(choices.size() == kMostViews || viewer.crowd);
  if (ImGui::SmallButton("Add a view")) addView(viewer);
  ImGui::EndDisabled();
  if (choices.size() > 1) {
    ImGui::SameLine();
    if (ImGui::SmallButton("Remove")) removeView(viewer);
  }
  const Method& method = findMethod(activeChoice(viewer).method);
  faintText(std::string(method.summary));
  if (!method.paper.empty()) faintText(std::string(method.paper));
}

void parameterControls(Viewer& viewer) {
  for (const Parameter& parameter : findMethod(activeChoice(viewer).method).parameters)
    parameterControl(viewer, parameter);
}

} // namespace sinew
