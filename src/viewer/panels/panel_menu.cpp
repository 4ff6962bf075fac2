// The menu bar: every action of the table under its group, recent files and the built-in models.

#include "demo/demo.h"
#include "editor/session.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <filesystem>

namespace sinew {
namespace {

void recentMenu(Session& session) {
  if (!ImGui::BeginMenu("Recent", !session.recent.empty())) return;
  std::string chosen;
  for (const std::string& file : session.recent) {
    const std::filesystem::path path(file);
    if (ImGui::MenuItem(fmt::format("{}##{}", path.filename().string(), file).c_str(),
                        path.parent_path().filename().c_str()))
      chosen = file;
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", file.c_str());
  }
  ImGui::Separator();
  if (ImGui::MenuItem("Clear the list")) session.recent.clear();
  ImGui::EndMenu();
  if (!chosen.empty()) openFile(session, chosen);
}

void demoMenu(Session& session) {
  if (!ImGui::BeginMenu("Built-in models")) return;
  for (const Demo& demo : demos()) {
    const std::string name = fmt::format("demo:{}", demo.name);
    if (ImGui::MenuItem(std::string(demo.title).c_str(), nullptr,
                        session.document.loaded.model == name))
      openFile(session, name);
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("%.*s", static_cast<int>(demo.summary.size()), demo.summary.data());
  }
  ImGui::EndMenu();
}

// True if it was chosen.
bool actionItem(const Menu& menu, const Action& action) {
  const bool chosen =
      ImGui::MenuItem(action.name.c_str(), action.keys.empty() ? nullptr : action.keys[0].c_str(),
                      menu.checked(action));
  if (!action.help.empty() && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", action.help.c_str());
  return chosen;
}

} // namespace

MenuBar menuBar(Session& session, const Menu& menu) {
  if (!ImGui::BeginMainMenuBar()) return {};
  MenuBar bar{ImGui::GetWindowSize().y};
  for (const char* group :
       {"File", "Play", "View", "Show", "Pose", "Weights", "Ragdoll", "Method", "Help"}) {
    if (!ImGui::BeginMenu(group)) continue;
    for (const Action& action : menu.actions) {
      if (action.group != group) continue;
      if (actionItem(menu, action)) bar.chosen = &action;
      if (action.name != "Reload") continue;
      recentMenu(session);
      demoMenu(session);
    }
    ImGui::EndMenu();
  }
  const Model& model = session.document.bench.model;
  const std::string title =
      model.format.empty() ? model.name : fmt::format("{}  \xc2\xb7  {}", model.name, model.format);
  const float width = ImGui::CalcTextSize(title.c_str()).x;
  ImGui::SameLine(std::max(ImGui::GetWindowWidth() - width - scaled(22), ImGui::GetCursorPosX()));
  ImGui::TextColored(faintColor(), "%s", title.c_str());
  ImGui::EndMainMenuBar();
  return bar;
}

} // namespace sinew
