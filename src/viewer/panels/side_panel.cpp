// The panel at the right: the tabs of the mode, and the one in front.

#include "editor/bind/binding.h"
#include "editor/session.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <array>
#include <vector>

namespace sinew {
namespace {

struct Tab {
  const char* name;
  void (*body)(Session&, Ui&, const MethodPictures&);
  std::optional<Tool> tool = std::nullopt; // the tool that comes with the tab
};

// The tabs in the order of SideTab.
constexpr std::array<Tab, 14> kTabs{{
    {"Look", [](Session& s, Ui& ui, const MethodPictures& p) { settingsTab(s.document, ui, p); }},
    {"Model", [](Session& s, Ui& ui, const MethodPictures&) { reportTab(s, ui); }},
    {"Check", [](Session& s, Ui& ui, const MethodPictures&) { checkTab(s, ui); }},
    {"Joint", [](Session& s, Ui& ui, const MethodPictures&) { poseTab(s, ui); }, Tool::rotate},
    {"Bend range", [](Session& s, Ui& ui, const MethodPictures&) { zoneTab(s, ui); }, Tool::zone},
    {"Morph", [](Session& s, Ui& ui, const MethodPictures&) { morphTab(s.document, ui); },
     Tool::rotate},
    {"Bind", [](Session& s, Ui& ui, const MethodPictures&) { bindTab(s, ui); }},
    {"Paint", [](Session& s, Ui&, const MethodPictures&) { paintTab(s); }, Tool::paint},
    {"Splines", [](Session& s, Ui& ui, const MethodPictures&) { splinesTab(s, ui); }, Tool::move},
    {"Bake", [](Session& s, Ui& ui, const MethodPictures&) { bakeTab(s, ui); }},
    {"Rig", [](Session& s, Ui& ui, const MethodPictures&) { rigTab(s, ui); }},
    {"Layers", [](Session& s, Ui& ui, const MethodPictures&) { layersTab(s, ui); }},
    {"Drivers", [](Session& s, Ui& ui, const MethodPictures&) { driversTab(s, ui); }, Tool::rotate},
    {"Ragdoll", [](Session& s, Ui& ui, const MethodPictures&) { ragdollTab(s, ui); }, Tool::rotate},
}};

const Tab& getTab(SideTab tab) {
  return kTabs[static_cast<std::size_t>(tab)];
}

// The model's tab shows the number of its repairs and warnings.
std::string makeLabel(const Document& document, SideTab tab) {
  const Model& model = document.workbench.model;
  const std::size_t notes = model.repairs.size() + model.warnings.size();
  if (tab != SideTab::model || notes == 0) return getTab(tab).name;
  return fmt::format("{} ({})###model", getTab(tab).name, notes);
}

bool isShown(const Document& document, SideTab tab) {
  return tab != SideTab::morph || !document.workbench.model.morphTargets.empty();
}

// Draws the tabs of the mode in one row.
void tabs(Document& document, Ui& ui) {
  std::vector<SideTab> shown;
  for (std::size_t i = 0; i < kTabs.size(); ++i)
    if (const auto tab = static_cast<SideTab>(i); toMode(tab) == toMode(ui.tab))
      if (isShown(document, tab)) shown.push_back(tab);
  const ImGuiStyle& style = ImGui::GetStyle();
  const float gap = scaled(3);
  const auto columns = static_cast<float>(shown.size());
  const float width = (ImGui::GetContentRegionAvail().x - (columns - 1.0f) * gap) / columns;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {scaled(2), style.FramePadding.y});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
  for (const SideTab tab : shown) {
    if (tab != shown.front()) ImGui::SameLine();
    if (choiceButton(makeLabel(document, tab).c_str(), ui.tab == tab, width))
      showTab(document, ui, tab);
  }
  ImGui::PopStyleVar(2);
  ImGui::Separator();
}

} // namespace

void showTab(Document& document, Ui& ui, SideTab tab) {
  const std::optional<Tool> tool = getTab(tab).tool;
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
  const float widest = 0.4f * r.width;
  const float usual = std::min(scaled(300), 0.27f * r.width);
  ImGui::SetNextWindowPos({r.x + r.width, r.y}, ImGuiCond_Always, {1.0f, 0.0f});
  ImGui::SetNextWindowSize({usual, r.height},
                           ui.rescaled ? ImGuiCond_Always : ImGuiCond_FirstUseEver);
  ImGui::SetNextWindowSizeConstraints({std::min(scaled(180), widest), r.height},
                                      {widest, r.height});
  ImGui::Begin("Side", nullptr, panelFlags());
  if (!isShown(document, ui.tab)) ui.tab = SideTab::pose; // another model
  tabs(document, ui);
  const Tab& front = getTab(ui.tab);
  ImGui::BeginChild(front.name); // each keeps where it was scrolled to
  if (front.tool && drafting(document))
    faintText("The skeleton is being edited. Bind it, or leave it, in Weights, Bind.");
  else
    front.body(session, ui, pictures);
  ImGui::EndChild();
  const float width = ImGui::GetWindowWidth();
  ImGui::End();
  return width;
}

} // namespace sinew
