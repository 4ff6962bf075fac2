// The table of actions of the window, its parts, and what they share.
#pragma once

#include "editor/work_kinds.h"
#include "viewer/state/action.h"
#include "viewer/viewer_state.h"

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sinew {

std::vector<Action> viewerActions();

// What else the list under "?" finds: joints and clips of the model, recent files, settings.
std::vector<Action> sessionActions(const Session& session);

// The parts of the table.
void addFileActions(std::vector<Action>& all);
void addHelpActions(std::vector<Action>& all);
void addPoseActions(std::vector<Action>& all);
void addPlayActions(std::vector<Action>& all);
void addViewActions(std::vector<Action>& all);
void addMethodActions(std::vector<Action>& all);
void addWeightActions(std::vector<Action>& all);
void addMotionActions(std::vector<Action>& all); // layers and ragdoll

using ActionRun = std::function<void(Viewer&)>;

ActionRun onDocument(void (*run)(Document&));
ActionRun saving(SaveKind kind); // saves to the usual file

// Only where there is a pose to edit: a model, no crowd, and no skeleton being edited.
ActionRun posable(ActionRun run);

// The same action, but it runs again and again while its key is held.
Action repeated(Action action);

// Makes an action that toggles a switch of the settings, the document, the interface or the
// preferences. An empty key is none.
template <typename Part>
Action toggle(std::string group, std::string name, const std::string& key, std::string help,
              bool Part::*field) {
  const auto part = [](auto& viewer) -> auto& {
    if constexpr (std::is_same_v<Part, Settings>)
      return viewer.session.document.settings;
    else if constexpr (std::is_same_v<Part, Document>)
      return viewer.session.document;
    else if constexpr (std::is_same_v<Part, Ui>)
      return viewer.ui;
    else
      return viewer.preferences;
  };
  Action action{std::move(group), std::move(name), {}, std::move(help), {}};
  if (!key.empty()) action.keys.push_back(key);
  action.run = [=](Viewer& v) { part(v).*field = !(part(v).*field); };
  action.checked = [=](const Viewer& v) { return part(v).*field; };
  return action;
}

// Brings the tool's tab to the front and chooses the tool.
void chooseTool(Viewer& viewer, Tool tool);
Action toolAction(std::string group, const char* name, const char* key, const char* help,
                  Tool tool);

} // namespace sinew
