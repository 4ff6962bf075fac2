// The methods of the views in the settings: one line a view, and the parameters of the active one.

#include "app/bind_options.h"
#include "editor/document/views.h"
#include "editor/session.h"
#include "skinning/methods.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// The method of one view; touching it makes the view the active one.
void methodCombo(Document& document, const MethodChoice& choice, std::size_t view) {
  ImGui::SetNextItemWidth(-1.0f);
  if (!ImGui::BeginCombo(fmt::format("##method{}", view).c_str(),
                         std::string(choice.method->title).c_str()))
    return;
  for (const Method& method : methods())
    if (ImGui::Selectable(std::string(method.title).c_str(), choice.method == &method)) {
      document.views.active = view;
      setActiveChoice(document, {&method, choice.parameters});
    }
  ImGui::EndCombo();
}

void viewLine(Document& document, const MethodChoice& choice, std::size_t view) {
  const bool active = view == activeView(document);
  ImGui::PushID(static_cast<int>(view));
  if (ImGui::RadioButton("##active", active)) document.views.active = view;
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("the view that keys and parameters are for");
  ImGui::PopID();
  ImGui::SameLine();
  methodCombo(document, choice, view);
}

void parameterControl(Document& document, const Parameter& parameter) {
  MethodChoice choice = activeChoice(document);
  const OptionInfo info{parameter.name,    "Skinning",        parameter.help,
                        parameter.minimum, parameter.maximum, {}};
  float value = parameterIn(allParameters(document.settings, choice), parameter);
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
  tooltip(parameter.help, fmt::format("--set {}=VALUE", parameter.name));
  if (value == before) return;
  choice.parameters = withParameter(choice.parameters, parameter, value,
                                    parameterIn(document.settings.parameters, parameter));
  setActiveChoice(document, choice);
}

} // namespace

void methodControls(Document& document) {
  const std::vector<MethodChoice> choices = document.settings.methods;
  ImGui::TextUnformatted(choices.size() == 1 ? "Method" : "Methods");
  if (choices.size() == 1)
    methodCombo(document, choices.front(), 0);
  else
    for (std::size_t i = 0; i < choices.size(); ++i)
      viewLine(document, choices[i], i);
  ImGui::BeginDisabled(document.crowd.has_value());
  if (ImGui::SmallButton("Add a view")) addView(document);
  ImGui::EndDisabled();
  if (choices.size() > 1) {
    ImGui::SameLine();
    if (ImGui::SmallButton("Remove")) removeView(document);
  }
  const Method& method = *activeChoice(document).method;
  faintText(std::string(method.summary));
  if (!method.paper.empty()) faintText(std::string(method.paper));
}

void parameterControls(Document& document) {
  for (const Parameter& parameter : activeChoice(document).method->parameters)
    parameterControl(document, parameter);
}

} // namespace sinew
