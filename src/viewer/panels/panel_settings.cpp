// The settings, generated from visitSettings(): a group is a heading, a field its control, the help
// its tooltip. What belongs to time (the transport bar), to a joint (its panel) or to the views
// (the strip of methods) is not repeated.

#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/state/view_layout.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <filesystem>
#include <type_traits>

namespace sinew {
namespace {

bool elsewhere(const OptionInfo& info) {
  return info.group == "Animation" || info.group == "Motion" || info.name == "method" ||
         info.name == "difference" || info.name == "set";
}

// How it is computed and drawn, not what is seen.
bool forEngineers(const OptionInfo& info) {
  return info.group == "Skinning" || info.group == "Picture" || info.group == "Viewer" ||
         info.name == "difference-scale";
}

// Check boxes stand two in a line where there is room.
struct CheckBoxes {
  bool left = false; // the control before was the left one of two

  void begin(bool check, const OptionInfo& info) {
    const float wide = ImGui::GetContentRegionAvail().x;
    const ImVec2 text = ImGui::CalcTextSize(optionLabel(info.name).c_str());
    const float box = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x;
    const bool half = check && box + text.x <= 0.48f * wide;
    if (half && left) ImGui::SameLine(0.52f * wide);
    left = half && !left;
  }
};

// The picture that is the light, another one, or none.
void lightRow(LightPicture& light, Ui& ui) {
  const bool none = light.file.empty();
  const std::string name =
      none ? "From a picture..." : std::filesystem::path(light.file).filename().string();
  const float clear = none ? 0.0f : ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.x;
  const float wide = ImGui::GetContentRegionAvail().x - clear;
  const std::string shown = shortenedText(name, wide - 2.0f * ImGui::GetStyle().FramePadding.x);
  if (ImGui::Button(fmt::format("{}###light", shown).c_str(), {wide, 0}))
    openBrowser(ui, Browse::light);
  if (none) return;
  ImGui::SameLine();
  if (ImGui::Button("\xc3\x97##light", {ImGui::GetFrameHeight(), 0})) light = {};
}

void projectionRow(const OptionInfo& info, Document& document, const Ui& ui) {
  Projection wanted = document.settings.projection;
  control(info, wanted);
  if (wanted != document.settings.projection) switchProjection(document, ui);
}

void fields(Document& document, Ui& ui, bool advanced) {
  std::string group;
  bool open = true;
  CheckBoxes boxes;
  visitSettings(document.settings, [&](const OptionInfo& info, auto& value) {
    if (elsewhere(info) || forEngineers(info) != advanced) return;
    if (info.group != group && !advanced) {
      boxes.left = false;
      ImGui::SetNextItemOpen(true, ImGuiCond_FirstUseEver);
      open = header(std::string(info.group).c_str());
    }
    group = info.group;
    if (!open) return;
    boxes.begin(std::is_same_v<std::decay_t<decltype(value)>, bool>, info);
    // The crowd needs the storage that draws it in one call.
    ImGui::BeginDisabled(document.crowd && info.name == "palette");
    ImGui::BeginGroup();
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, LightPicture>)
      lightRow(value, ui);
    else if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Projection>)
      projectionRow(info, document, ui);
    else
      control(info, value);
    ImGui::EndGroup();
    ImGui::EndDisabled();
    tooltip(info);
  });
}

} // namespace

void settingsTab(Document& document, Ui& ui, const MethodPictures& pictures) {
  methodControls(document, ui, pictures);
  parameterControls(document, false);
  ImGui::Spacing();
  fields(document, ui, false);
  if (!header("Advanced")) return;
  fields(document, ui, true);
  parameterControls(document, true);
}

} // namespace sinew
