// The settings, generated from visitSettings(): a group is a heading, a field its control, the help
// its tooltip. What belongs to time (the transport bar) or to a joint (its panel) is not repeated.

#include "viewer/controls.h"
#include "viewer/panels.h"

#include <imgui/imgui.h>

#include <type_traits>

namespace sinew {

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
    if (info.name == "method") {
      beside = false;
      methodControls(viewer);
      return;
    }
    const bool check = std::is_same_v<std::decay_t<decltype(value)>, bool>;
    if (check && beside) ImGui::SameLine(0.52f * ImGui::GetContentRegionAvail().x);
    beside = check && !beside;
    // The crowd needs the storage that draws it in one call, and shows no differences.
    const bool fixed = viewer.crowd && (info.name == "palette" || info.name == "difference");
    ImGui::BeginDisabled(fixed);
    ImGui::BeginGroup();
    control(info, value);
    ImGui::EndGroup();
    ImGui::EndDisabled();
    tooltip(info);
    if (info.name == "set") parameterControls(viewer);
  });
}

} // namespace sinew
