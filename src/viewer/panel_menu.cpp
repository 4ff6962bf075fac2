// The menu bar: every action of the table under its group, recent files and the built-in models.

#include "demo/demo.h"
#include "viewer/panels.h"
#include "viewer/session.h"
#include "viewer/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <filesystem>

namespace sinew {
namespace {

void recentMenu(Viewer& viewer) {
  if (!ImGui::BeginMenu("Recent", !viewer.memory.recent.empty())) return;
  std::string chosen;
  for (const std::string& file : viewer.memory.recent) {
    const std::filesystem::path path(file);
    if (ImGui::MenuItem(fmt::format("{}##{}", path.filename().string(), file).c_str(),
                        path.parent_path().filename().c_str()))
      chosen = file;
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", file.c_str());
  }
  ImGui::Separator();
  if (ImGui::MenuItem("Clear the list")) viewer.memory.recent.clear();
  ImGui::EndMenu();
  if (!chosen.empty()) openFile(viewer, chosen);
}

void demoMenu(Viewer& viewer) {
  if (!ImGui::BeginMenu("Built-in models")) return;
  for (const Demo& demo : demos()) {
    const std::string name = fmt::format("demo:{}", demo.name);
    if (ImGui::MenuItem(std::string(demo.title).c_str(), nullptr, viewer.loaded.model == name))
      openModel(viewer, {.model = name, .motion = {}});
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("%.*s", static_cast<int>(demo.summary.size()), demo.summary.data());
  }
  ImGui::EndMenu();
}

void actionItem(Viewer& viewer, const Action& action) {
  const bool checked = action.checked && action.checked(viewer);
  if (ImGui::MenuItem(action.name.c_str(), action.keys.empty() ? nullptr : action.keys[0].c_str(),
                      checked))
    action.run(viewer);
  if (!action.help.empty() && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", action.help.c_str());
}

} // namespace

float menuBar(Viewer& viewer) {
  if (!ImGui::BeginMainMenuBar()) return 0.0f;
  const float height = ImGui::GetWindowSize().y;
  for (const char* group :
       {"File", "Play", "View", "Show", "Pose", "Weights", "Ragdoll", "Method", "Help"}) {
    if (!ImGui::BeginMenu(group)) continue;
    for (const Action& action : viewer.actions) {
      if (action.group != group) continue;
      actionItem(viewer, action);
      if (action.name != "Reload") continue;
      recentMenu(viewer);
      demoMenu(viewer);
    }
    ImGui::EndMenu();
  }
  const Model& model = viewer.bench.model;
  const std::string title =
      model.format.empty() ? model.name : fmt::format("{}  \xc2\xb7  {}", model.name, model.format);
  const float width = ImGui::CalcTextSize(title.c_str()).x;
  ImGui::SameLine(std::max(ImGui::GetWindowWidth() - width - scaled(22), ImGui::GetCursorPosX()));
  ImGui::TextColored(faintColor(), "%s", title.c_str());
  ImGui::EndMainMenuBar();
  return height;
}

} // namespace sinew
