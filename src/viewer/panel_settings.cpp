// The settings, generated from visitSettings(): a group is a heading, a field its control, the help
// its tooltip. What belongs to time (the transport bar) or to a joint (its panel) is not repeated.

#include "viewer/bind.h"
#include "viewer/controls.h"
#include "viewer/panels.h"
#include "viewer/session.h"
#include "viewer/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <type_traits>
#include <utility>

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

namespace {

// Narrow, so that the names of all tabs can be read.
void pushTabStyle() {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {scaled(4), ImGui::GetStyle().FramePadding.y});
}

bool beginTabs() {
  pushTabStyle();
  const bool open = ImGui::BeginTabBar("##tabs", ImGuiTabBarFlags_FittingPolicyScroll |
                                                     ImGuiTabBarFlags_TabListPopupButton);
  ImGui::PopStyleVar();
  return open;
}

bool beginTab(const char* name, bool front) {
  pushTabStyle();
  const bool open = ImGui::BeginTabItem(
      name, nullptr, front ? ImGuiTabItemFlags_SetSelected : ImGuiTabItemFlags_None);
  ImGui::PopStyleVar();
  return open;
}

// A tab that comes to the front chooses its tool.
void editTab(Viewer& viewer, const char* name, bool& bring, Tool tool, void (*body)(Viewer&)) {
  if (!beginTab(name, std::exchange(bring, false))) return;
  ToolState& tools = viewer.edit.tools;
  const bool poses = tools.tool == Tool::move || tools.tool == Tool::reach;
  const bool fits = tools.tool == tool || (tool == Tool::turn && poses);
  if (viewer.ui.sideTab != name && !fits) tools.tool = tool;
  viewer.ui.sideTab = name;
  ImGui::BeginChild("##body");
  if (drafting(viewer))
    faintText("The skeleton is being edited. Bind it, or leave it, in the Bind tab.");
  else
    body(viewer);
  ImGui::EndChild();
  ImGui::EndTabItem();
}

void plainTab(Viewer& viewer, const char* name, bool& bring, void (*body)(Viewer&)) {
  if (!beginTab(name, std::exchange(bring, false))) return;
  viewer.ui.sideTab = name;
  ImGui::BeginChild("##body");
  body(viewer);
  ImGui::EndChild();
  ImGui::EndTabItem();
}

void editTabs(Viewer& viewer) {
  editTab(viewer, "Pose", viewer.edit.bringPose, Tool::turn, poseTab);
  editTab(viewer, "Zone", viewer.edit.bringZone, Tool::zone, zoneTab);
  editTab(viewer, "Paint", viewer.edit.paint.bring, Tool::paint, paintTab);
  plainTab(viewer, kLayersTab, viewer.edit.bringLayers, layersTab);
  editTab(viewer, "Ragdoll", viewer.ragdoll.bring, Tool::turn, ragdollTab);
}

} // namespace

float sidePanel(Viewer& viewer, const Rect& r) {
  const float widest = 0.4f * r.width;
  const float usual = std::min(scaled(300), 0.27f * r.width);
  ImGui::SetNextWindowPos({r.x + r.width, r.y}, ImGuiCond_Always, {1.0f, 0.0f});
  ImGui::SetNextWindowSize({usual, r.height}, ImGuiCond_FirstUseEver);
  ImGui::SetNextWindowSizeConstraints({std::min(scaled(180), widest), r.height},
                                      {widest, r.height});
  ImGui::Begin("Side", nullptr, panelFlags());
  const Model& model = viewer.bench.model;
  const std::size_t notes = model.repairs.size() + model.warnings.size();
  const std::string report =
      notes == 0 ? "Model###report" : fmt::format("Model ({})###report", notes);
  if (beginTabs()) {
    if (beginTab("Settings", false)) {
      viewer.ui.sideTab.clear();
      ImGui::BeginChild("##settings");
      settingsTab(viewer);
      ImGui::EndChild();
      ImGui::EndTabItem();
    }
    editTabs(viewer);
    if (beginTab("Bind", std::exchange(viewer.bind.bring, false))) {
      viewer.ui.sideTab.clear();
      ImGui::BeginChild("##bind");
      bindTab(viewer);
      ImGui::EndChild();
      ImGui::EndTabItem();
    }
    if (beginTab(report.c_str(), std::exchange(viewer.ui.showReport, false))) {
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
