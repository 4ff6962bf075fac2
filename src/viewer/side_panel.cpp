// The panel at the right: tabs in two rows, so that all names can be read, and the one in front.

#include "viewer/bind.h"
#include "viewer/panels.h"
#include "viewer/session.h"
#include "viewer/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <array>

namespace sinew {
namespace {

constexpr std::size_t kColumns = 4;

struct Tab {
  const char* name;
  void (*body)(Viewer&);
  std::optional<Tool> tool = std::nullopt; // that comes with it
};

// In the order of SideTab.
constexpr std::array<Tab, 8> kTabs{{{"Settings", settingsTab},
                                    {"Pose", poseTab, Tool::turn},
                                    {"Zone", zoneTab, Tool::zone},
                                    {"Paint", paintTab, Tool::paint},
                                    {"Layers", layersTab},
                                    {"Ragdoll", ragdollTab, Tool::turn},
                                    {"Bind", bindTab},
                                    {"Model", reportTab}}};

const Tab& tabOf(SideTab tab) {
  return kTabs[static_cast<std::size_t>(tab)];
}

// What the file made necessary to say is counted at its tab.
std::string labelOf(const Viewer& viewer, SideTab tab) {
  const Model& model = viewer.bench.model;
  const std::size_t notes = model.repairs.size() + model.warnings.size();
  if (tab != SideTab::model || notes == 0) return tabOf(tab).name;
  return fmt::format("{} ({})###model", tabOf(tab).name, notes);
}

void tabs(Viewer& viewer) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float gap = scaled(3);
  const float columns = static_cast<float>(kColumns);
  const float width = (ImGui::GetContentRegionAvail().x - (columns - 1.0f) * gap) / columns;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {scaled(2), style.FramePadding.y});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
  for (std::size_t i = 0; i < kTabs.size(); ++i) {
    const auto tab = static_cast<SideTab>(i);
    const bool front = viewer.ui.tab == tab;
    if (i % kColumns != 0) ImGui::SameLine();
    ImGui::PushStyleColor(ImGuiCol_Button,
                          ImGui::GetStyleColorVec4(front ? ImGuiCol_TabActive : ImGuiCol_Tab));
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, ImGui::GetStyleColorVec4(ImGuiCol_TabHovered));
    ImGui::PushStyleColor(ImGuiCol_Text,
                          front ? ImGui::GetStyleColorVec4(ImGuiCol_Text) : faintColor());
    if (ImGui::Button(labelOf(viewer, tab).c_str(), {width, 0})) showTab(viewer, tab);
    ImGui::PopStyleColor(3);
  }
  ImGui::PopStyleVar(2);
  ImGui::Separator();
}

} // namespace

void showTab(Viewer& viewer, SideTab tab) {
  ToolState& tools = viewer.edit.tools;
  const std::optional<Tool> tool = tabOf(tab).tool;
  const bool poses = tools.tool == Tool::move || tools.tool == Tool::reach;
  const bool fits = tools.tool == tool || (tool == Tool::turn && poses);
  if (tool && !fits && viewer.ui.tab != tab) tools.tool = *tool;
  viewer.ui.tab = tab;
}

float sidePanel(Viewer& viewer, const Rect& r) {
  const float widest = 0.4f * r.width;
  const float usual = std::min(scaled(300), 0.27f * r.width);
  ImGui::SetNextWindowPos({r.x + r.width, r.y}, ImGuiCond_Always, {1.0f, 0.0f});
  ImGui::SetNextWindowSize({usual, r.height}, ImGuiCond_FirstUseEver);
  ImGui::SetNextWindowSizeConstraints({std::min(scaled(180), widest), r.height},
                                      {widest, r.height});
  ImGui::Begin("Side", nullptr, panelFlags());
  tabs(viewer);
  const Tab& front = tabOf(viewer.ui.tab);
  ImGui::BeginChild(front.name); // each keeps where it was scrolled to
  if (front.tool && drafting(viewer))
    faintText("The skeleton is being edited. Bind it, or leave it, in the Bind tab.");
  else
    front.body(viewer);
  ImGui::EndChild();
  const float width = ImGui::GetWindowWidth();
  ImGui::End();
  return width;
}

} // namespace sinew
