// The settings, generated from visitSettings(): a group is a heading, a field its control, the help
// its tooltip. What belongs to time (the transport bar) or to a joint (its panel) is not repeated.

#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"

#include <imgui/imgui.h>

#include <type_traits>

namespace sinew {

void settingsTab(Document& document) {
  std::string group;
  bool open = false;
  bool beside = false; // the control before was the left one of two check boxes
  visitSettings(document.settings, [&](const OptionInfo& info, auto& value) {
    if (info.group == "Animation" || info.group == "Viewer") return;
    if (info.group != group) {
      group = info.group;
      beside = false;
      ImGui::SetNextItemOpen(true, ImGuiCond_FirstUseEver);
      open = ImGui::CollapsingHeader(group.c_str());
    }
    if (!open) return;
    if (info.name == "method") {
      beside = false;
      methodControls(document);
      return;
    }
    const bool check = std::is_same_v<std::decay_t<decltype(value)>, bool>;
    if (check && beside) ImGui::SameLine(0.52f * ImGui::GetContentRegionAvail().x);
    beside = check && !beside;
    // The crowd needs the storage that draws it in one call, and shows no differences.
    const bool fixed = document.crowd && (info.name == "palette" || info.name == "difference");
    ImGui::BeginDisabled(fixed);
    ImGui::BeginGroup();
    control(info, value);
    ImGui::EndGroup();
    ImGui::EndDisabled();
    tooltip(info);
    if (info.name == "set") parameterControls(document);
  });
}

} // namespace sinew
