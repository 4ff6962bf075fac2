// The method of the active view in the settings: what it is, and its parameters.

#include "app/method_list.h"
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
  tooltip(parameter.help, optionFor(parameter));
  if (value == before) return;
  choice.parameters = withParameter(choice.parameters, parameter, value,
                                    parameterIn(document.settings.parameters, parameter));
  setActiveChoice(document, choice);
}

} // namespace

void methodPicture(const Method& method, Ui& ui, const MethodPictures& pictures, float width) {
  const auto found = pictures.find(&method);
  if (found == pictures.end()) {
    ui.pictured = &method;
    return;
  }
  if (found->second.width > 0.0f) showPicture(found->second, width);
}

void methodControls(Document& document, Ui& ui, const MethodPictures& pictures) {
  const Method& method = *activeChoice(document).method;
  heading(std::string(method.title).c_str());
  faintText(std::string(method.summary));
  if (method.formula.empty() || !header("How it works")) return;
  methodPicture(method, ui, pictures, ImGui::GetContentRegionAvail().x);
  ImGui::PushFont(monoFont());
  ImGui::TextWrapped("%s", std::string(method.formula).c_str());
  ImGui::PopFont();
  faintText(std::string(method.symbols));
  if (!method.paper.empty()) faintText(std::string(method.paper));
  faintText("docs/methods.md has every special case.");
}

void offerMethods(Document& document, const char* ignores, bool (*uses)(const Method&)) {
  std::string users;
  const Method* other = nullptr;
  for (const Method& method : methods()) {
    if (!uses(method)) continue;
    users += fmt::format("{}{}", users.empty() ? "" : ", ", method.title);
    if (other == nullptr) other = &method;
  }
  ImGui::PushStyleColor(ImGuiCol_Text, warningColor());
  ImGui::TextWrapped("%s %s These use it: %s.",
                     std::string(activeChoice(document).method->title).c_str(), ignores,
                     users.c_str());
  ImGui::PopStyleColor();
  if (other == nullptr) return;
  if (button(fmt::format("Show {} in this view", other->title).c_str(), -1.0f))
    setActiveChoice(document, {other, activeChoice(document).parameters});
  ImGui::Spacing();
}

void parameterControls(Document& document, bool advanced) {
  for (const Parameter& parameter : activeChoice(document).method->parameters)
    if (parameter.advanced == advanced) parameterControl(document, parameter);
}

} // namespace sinew
