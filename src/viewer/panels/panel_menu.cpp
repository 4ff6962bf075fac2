// The menu bar: every action of the table under its group, recent files, the built-in models, the
// history, and the four modes.

#include "demo/demo.h"
#include "editor/model_files.h"
#include "editor/running_tasks.h"
#include "editor/session.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

namespace sinew {
namespace {

void recentMenu(Session& session) {
  if (!ImGui::BeginMenu("Open recent", !session.recent.empty())) return;
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

// The steps of the history, newest first; a click goes back or forth to one.
void historyMenu(Document& document) {
  if (!ImGui::BeginMenu("History", document.history.canUndo() || document.history.canRedo()))
    return;
  const std::vector<std::string> undo = document.history.undoWords();
  const std::vector<std::string> redo = document.history.redoWords();
  int steps = 0; // back; negative: forth
  for (std::size_t i = redo.size(); i-- > 0;) {
    ImGui::PushStyleColor(ImGuiCol_Text, faintColor());
    if (ImGui::MenuItem(fmt::format("{}##r{}", redo[i], i).c_str()))
      steps = -static_cast<int>(i) - 1;
    ImGui::PopStyleColor();
  }
  for (std::size_t i = 0; i < undo.size(); ++i)
    if (ImGui::MenuItem(fmt::format("{}##u{}", undo[i], i).c_str(), nullptr, i == 0))
      steps = static_cast<int>(i);
  if (ImGui::MenuItem("As opened", nullptr, undo.empty())) steps = static_cast<int>(undo.size());
  ImGui::EndMenu();
  for (; steps > 0; --steps)
    undoEdit(document);
  for (; steps < 0; ++steps)
    redoEdit(document);
}

// True if it was chosen.
bool actionItem(const Menu& menu, const Action& action) {
  const bool chosen =
      ImGui::MenuItem(action.name.c_str(), action.keys.empty() ? nullptr : action.keys[0].c_str(),
                      menu.checked(action));
  if (!action.help.empty() && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", action.help.c_str());
  return chosen;
}

// The actions of one group below the menu.
const Action* subMenu(const Menu& menu, const std::string& group) {
  const Action* chosen = nullptr;
  if (!ImGui::BeginMenu(group.substr(group.find('/') + 1).c_str())) return chosen;
  for (const Action& action : menu.actions)
    if (action.group == group && actionItem(menu, action)) chosen = &action;
  ImGui::EndMenu();
  return chosen;
}

// What the table cannot hold, since it grows: after the action of that name.
void grownItems(Session& session, const std::string& after) {
  if (after == "Files side by side") {
    recentMenu(session);
    demoMenu(session);
    ImGui::Separator();
  }
  if (after == "Reload" || after == "Save As..." || after == "Screenshot of the window")
    ImGui::Separator();
  if (after == "Redo") {
    historyMenu(session.document);
    ImGui::Separator();
  }
}

const Action* showGroup(Session& session, const Menu& menu, const std::string& name) {
  const Action* chosen = nullptr;
  std::vector<std::string> shown; // groups that have had their place
  for (const Action& action : menu.actions) {
    if (action.group == name) {
      if (actionItem(menu, action)) chosen = &action;
      grownItems(session, action.name);
    } else if (action.group.starts_with(name + "/") &&
               std::ranges::find(shown, action.group) == shown.end()) {
      shown.push_back(action.group);
      if (const Action* below = subMenu(menu, action.group)) chosen = below;
    }
  }
  return chosen;
}

// Draws the buttons in the middle of the bar if there is room.
void modeButtons(Document& document, Ui& ui) {
  const float width = scaled(84);
  const float gap = scaled(2);
  const float all = static_cast<float>(kWindowModes.size()) * (width + gap);
  ImGui::SetCursorPosX(
      std::max(0.5f * (ImGui::GetWindowWidth() - all), ImGui::GetCursorPosX() + scaled(8)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, 0.0f});
  for (const ModeInfo& mode : kWindowModes) {
    if (choiceButton(mode.name, toMode(ui.tab) == mode.mode, width))
      showMode(document, ui, mode.mode);
    itemHelp(fmt::format("{}  Ctrl+{}", mode.help, 1 + (&mode - kWindowModes.data())).c_str());
  }
  ImGui::PopStyleVar();
}

// Names the model or the background task at the right, shortened to fit.
void modelTitle(const Session& session, const std::string& recording) {
  const Model& model = session.document.workbench.model;
  std::string work = describeRunningTasks(session);
  if (!recording.empty()) work = recording + (work.empty() ? "" : ", ") + work;
  std::string title = work.empty() ? model.name : work;
  for (const std::string& more : {model.format, placeAmongFiles(session)})
    if (work.empty() && !more.empty()) title += "  \xc2\xb7  " + more;
  const float left = ImGui::GetCursorPosX() + scaled(8);
  const float room = ImGui::GetWindowWidth() - left - scaled(22);
  const std::string shown = shortenedText(title, room);
  const float width = ImGui::CalcTextSize(shown.c_str()).x;
  ImGui::SameLine(std::max(left, ImGui::GetWindowWidth() - width - scaled(22)));
  ImGui::TextColored(work.empty() ? faintColor() : accentColor(), "%s", shown.c_str());
  itemHelp((model.path.empty() || !work.empty() ? title : model.path).c_str());
}

bool pressed(ImGuiKey key) {
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key));
}

// Arrows choose in menus that a key has opened; elsewhere they are keys of the window. At an arrow
// that leads out of a menu Dear ImGui closes it: the one beside it opens.
void openByKey(Ui& ui) {
  constexpr ImGuiPopupFlags kAny = ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel;
  const int step =
      std::exchange(ui.menuStep, pressed(ImGuiKey_RightArrow) - pressed(ImGuiKey_LeftArrow));
  if (ui.menuByKey && step != 0 && !ImGui::IsPopupOpen("", kAny)) {
    ui.menu = (ui.menu + kMenus.size() + static_cast<std::size_t>(step)) % kMenus.size();
    ui.openMenu = true;
  }
  if (std::exchange(ui.openMenu, false)) {
    ImGui::OpenPopup(kMenus[ui.menu]);
    ui.menuByKey = true;
  }
  ui.menuByKey &= ImGui::IsPopupOpen("", kAny);
  if (ui.menuByKey && (pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeyPadEnter)))
    ImGui::ActivateItem(ImGui::GetCurrentContext()->NavId); // by itself only Space does that
  ImGuiIO& io = ImGui::GetIO();
  if (ui.menuByKey)
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  else
    io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
}

} // namespace

MenuBar menuBar(Session& session, Ui& ui, const std::string& recording, const Menu& menu) {
  if (!ImGui::BeginMainMenuBar()) return {};
  MenuBar bar{ImGui::GetWindowSize().y};
  openByKey(ui);
  for (std::size_t i = 0; i < kMenus.size(); ++i) {
    if (!ImGui::BeginMenu(kMenus[i])) continue;
    ui.menu = i;
    if (const Action* chosen = showGroup(session, menu, kMenus[i])) bar.chosen = chosen;
    ImGui::EndMenu();
  }
  modeButtons(session.document, ui);
  modelTitle(session, recording);
  ImGui::EndMainMenuBar();
  return bar;
}

} // namespace sinew
