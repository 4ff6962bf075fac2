// The panel at the right: the tabs of the mode, and the one in front.

#include "editor/bind/binding.h"
#include "editor/session.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace sinew {
namespace {

void drawTab(SideTab tab, Session& session, Ui& ui, const MethodPictures& pictures) {
  switch (tab) {
  case SideTab::settings:
    return settingsTab(session.document, ui, pictures);
  case SideTab::model:
    return reportTab(session, ui);
  case SideTab::check:
    return checkTab(session, ui);
  case SideTab::pose:
    return poseTab(session, ui);
  case SideTab::zone:
    return zoneTab(session, ui);
  case SideTab::morph:
    return morphTab(session.document, ui);
  case SideTab::bind:
    return bindTab(session, ui);
  case SideTab::paint:
    return paintTab(session);
  case SideTab::splines:
    return splinesTab(session, ui);
  case SideTab::bake:
    return bakeTab(session, ui);
  case SideTab::rig:
    return rigTab(session, ui);
  case SideTab::layers:
    return layersTab(session, ui);
  case SideTab::drivers:
    return driversTab(session, ui);
  case SideTab::ragdoll:
    return ragdollTab(session, ui);
  }
}

// The model's tab shows the number of its repairs and warnings.
std::string makeLabel(const Document& document, SideTab tab) {
  const Model& model = document.workbench.model;
  const std::size_t notes = model.repairs.size() + model.warnings.size();
  if (tab != SideTab::model || notes == 0) return findTab(tab).name;
  return fmt::format("{} ({})###model", findTab(tab).name, notes);
}

bool isShown(const Document& document, SideTab tab) {
  return tab != SideTab::morph || !document.workbench.model.morphTargets.empty();
}

// Draws the tabs of the mode: in columns of one width if their names have room there, else each as
// wide as its name, in as many rows as they take.
void tabs(Document& document, Ui& ui) {
  std::vector<SideTab> shown;
  for (const SideTabInfo& each : kSideTabs)
    if (each.mode == toMode(ui.tab) && isShown(document, each.tab)) shown.push_back(each.tab);
  const ImGuiStyle& style = ImGui::GetStyle();
  const float gap = scaled(3);
  const auto columns = static_cast<float>(shown.size());
  const float room = ImGui::GetContentRegionAvail().x;
  const float column = (room - (columns - 1.0f) * gap) / columns;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {scaled(2), style.FramePadding.y});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
  const auto width = [&](SideTab tab) { return buttonWidth(makeLabel(document, tab).c_str()); };
  const bool alike = std::ranges::all_of(shown, [&](SideTab tab) { return width(tab) <= column; });
  for (const SideTab tab : shown) {
    const float wide = alike ? column : std::min(width(tab) + scaled(8), room);
    if (tab != shown.front()) besideIfRoom(std::floor(wide));
    if (choiceButton(makeLabel(document, tab).c_str(), ui.tab == tab, wide))
      showTab(document, ui, tab);
  }
  ImGui::PopStyleVar(2);
  ImGui::Separator();
}

} // namespace

void showTab(Document& document, Ui& ui, SideTab tab) {
  const std::optional<Tool> tool = findTab(tab).tool;
  const bool poses = document.tool == Tool::move || document.tool == Tool::reach;
  const bool fits = document.tool == tool || (tool == Tool::rotate && poses);
  if (tool && !fits && ui.tab != tab) document.tool = *tool;
  // Leaving the controls of a brush or of bend ranges ends its tool.
  if (!tool && (document.tool == Tool::paint || document.tool == Tool::sculpt ||
                document.tool == Tool::zone))
    document.tool = Tool::rotate;
  if (tab == SideTab::paint && ui.tab != tab) ui.heatMapBefore = document.heatMap;
  if (tab != SideTab::paint && ui.tab == SideTab::paint) document.heatMap = ui.heatMapBefore;
  ui.tab = tab;
  ui.tabs[static_cast<std::size_t>(toMode(tab))] = tab;
}

void showMode(Document& document, Ui& ui, Mode mode) {
  SideTab tab = ui.tabs[static_cast<std::size_t>(mode)];
  if (!isShown(document, tab)) tab = SideTab::pose; // no morph targets in this model
  showTab(document, ui, tab);
}

float sidePanel(Session& session, Ui& ui, const MethodPictures& pictures, const Rect& r) {
  Document& document = session.document;
  ImGui::SetNextWindowPos({r.x + r.width, r.y}, ImGuiCond_Always, {1.0f, 0.0f});
  const float usual = std::min(scaled(300), 0.3f * r.width);
  beginColumn("Side", ui.sideColumn, usual, scaled(180), r);
  if (!isShown(document, ui.tab)) ui.tab = SideTab::pose; // another model
  tabs(document, ui);
  const SideTabInfo& front = findTab(ui.tab);
  ImGui::BeginChild(front.name); // each keeps where it was scrolled to, for this model
  std::string& scrolled = ui.scrolledModels[static_cast<std::size_t>(ui.tab)];
  if (std::exchange(scrolled, document.loaded.model) != document.loaded.model)
    ImGui::SetScrollY(0.0f);
  if (front.tool && drafting(document))
    faintText("The skeleton is being edited. Bind it, or leave it, in Weights, Bind.");
  else
    drawTab(ui.tab, session, ui, pictures);
  ImGui::EndChild();
  const float width = ImGui::GetWindowWidth();
  ImGui::End();
  return width;
}

} // namespace sinew
