// The list under "?": every action with its keys, and joints, clips, recent files and settings by
// their names; a click does it, Enter the marked one.

#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace sinew {
namespace {

constexpr const char* kKeysTitle = "Keys and mouse";

void row(const std::string& keys, const std::string& name, const std::string& help) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushFont(monoFont());
  ImGui::PushStyleColor(ImGuiCol_Text, accentColor());
  ImGui::TextWrapped("%s", keys.c_str()); // wraps between keys, not within one
  ImGui::PopStyleColor();
  ImGui::PopFont();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(name.c_str());
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, faintColor());
  ImGui::TextWrapped("%s", help.c_str());
  ImGui::PopStyleColor();
}

// The mouse has no entries in the table of actions.
void mouseRows(const std::string& words) {
  static constexpr const char* kMouse[][3] = {
      {"left drag", "Orbit", "around the model"},
      {"middle drag", "Pan", "also Shift and left drag"},
      {"wheel", "Zoom", "also right drag"},
      {"click", "Select a bone", "in the picture or in the list"},
      {"drag a ring", "Rotate the joint", "or move its bend range; Ctrl: in steps of 15 degrees"},
      {"drag an arrow", "Move the joint", "of a pose, or of a skeleton before binding"},
      {"click", "Choose a view", "whose method the keys change"},
      {"double click", "The view alone", "and again for all"},
      {"drop a file", "Open",
       "a motion, skeleton, pose or bend ranges apply to the model; a picture lights it"},
  };
  for (const auto& [keys, name, help] : kMouse)
    if (holdsWords(fmt::format("mouse {} {} {}", keys, name, help), words)) row(keys, name, help);
}

// marked: the one that Enter runs. Up and Down move the mark while the search field has the keys.
const Action* actionRows(const std::vector<const Action*>& found, std::size_t marked, bool scroll) {
  const Action* chosen = nullptr;
  std::string group;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Action* action = found[i];
    if (action->group != group) {
      group = action->group;
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TableNextColumn();
      ImGui::Spacing();
      heading(group.c_str());
    }
    row(fmt::format("{}", fmt::join(action->keys, "  ")), "", action->help);
    ImGui::TableSetColumnIndex(1);
    ImGui::PushID(action);
    const std::string name = shortenedText(action->name, ImGui::GetContentRegionAvail().x);
    if (ImGui::Selectable(name.c_str(), i == marked)) chosen = action;
    if (name != action->name) itemHelp(action->name.c_str());
    if (scroll && i == marked) ImGui::SetScrollHereY(0.5f);
    ImGui::PopID();
  }
  return chosen;
}

// True where the mark moved. A new search marks what it finds first.
bool moveMark(Ui& ui, std::size_t count, bool searched) {
  const std::size_t before = ui.hotkeyMark;
  if (searched) ui.hotkeyMark = 0;
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_DownArrow))) ++ui.hotkeyMark;
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_UpArrow)) && ui.hotkeyMark > 0)
    --ui.hotkeyMark;
  ui.hotkeyMark = std::min(ui.hotkeyMark, std::max<std::size_t>(count, 1) - 1);
  return ui.hotkeyMark != before;
}

void nothingFound(Ui& ui, std::span<const Action> actions) {
  const std::string meant = meantAction(actions, ui.hotkeySearch);
  faintText(meant.empty() ? "Nothing found." : "Nothing found. Did you mean");
  if (meant.empty()) return;
  ImGui::SameLine();
  if (ImGui::SmallButton(meant.c_str())) ui.hotkeySearch = meant;
}

} // namespace

const Action* hotkeyPanel(Ui& ui, std::span<const Action> actions) {
  if (std::exchange(ui.hotkeys, false)) {
    ui.hotkeySearch.clear();
    ui.hotkeyMark = 0;
    ImGui::OpenPopup(kKeysTitle);
  }
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5f * display.x, 0.5f * display.y}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize(
      {std::min(scaled(680), 0.94f * display.x), std::min(scaled(620), 0.9f * display.y)});
  bool open = true;
  if (!ImGui::BeginPopupModal(kKeysTitle, &open,
                              ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove))
    return nullptr;
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1.0f);
  const std::string before = ui.hotkeySearch;
  const bool enter =
      ImGui::InputTextWithHint("##search", "search; Enter runs the marked entry", &ui.hotkeySearch,
                               ImGuiInputTextFlags_EnterReturnsTrue);
  const std::vector<const Action*> found = searchActions(actions, ui.hotkeySearch);
  const bool moved = moveMark(ui, found.size(), ui.hotkeySearch != before);
  ImGui::BeginChild("##list");
  const Action* chosen = enter && ui.hotkeyMark < found.size() ? found[ui.hotkeyMark] : nullptr;
  if (ImGui::BeginTable("##keys", 3, ImGuiTableFlags_SizingFixedFit)) {
    ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, scaled(112));
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed, scaled(200));
    ImGui::TableSetupColumn("help", ImGuiTableColumnFlags_WidthStretch);
    mouseRows(ui.hotkeySearch);
    if (const Action* clicked = actionRows(found, ui.hotkeyMark, moved)) chosen = clicked;
    ImGui::EndTable();
  }
  if (found.empty()) nothingFound(ui, actions);
  ImGui::EndChild();
  if (chosen != nullptr) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  return chosen;
}

} // namespace sinew
