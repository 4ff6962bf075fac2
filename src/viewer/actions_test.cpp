#include "editor/document/views.h"
#include "skinning/methods.h"
#include "viewer/actions.h"
#include "viewer/panels/panels.h"
#include "viewer/viewer_state.h"
#include "viewer/window/window_input.h"

#include <GLFW/glfw3.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace sinew {

TEST_CASE("actions: every key has one meaning, and everything can be found by its name") {
  const std::vector<Action> actions = viewerActions();
  std::set<std::string> keys;
  for (const Action& action : actions) {
    CAPTURE(action.name);
    CHECK(action.run != nullptr);
    for (const std::string& key : action.keys)
      CHECK(keys.insert(key).second);
    const auto found = searchActions(actions, action.name);
    CHECK(std::find(found.begin(), found.end(), &action) != found.end());
  }
  CHECK(actionOfChord(actions, "Ctrl+Alt+F9") == nullptr);
  CHECK(searchActions(actions, "no such thing").empty());
  CHECK(searchActions(actions, "focus").front()->name == "Frame the model");
  CHECK(searchActions(actions, "film").front()->name == "Export a picture or film...");
  const auto inverse = searchActions(actions, "IK");
  CHECK(std::ranges::find(inverse, "Reach with joints", &Action::name) != inverse.end());
  CHECK(meantAction(actions, "wirefrme") == "Wireframe");
  CHECK(meantAction(actions, "armture") == "armature"); // a synonym
  CHECK(meantAction(actions, "qqqqqq").empty());
  CHECK(searchActions(actions, "").size() == actions.size());
}

TEST_CASE("actions: the keys people were promised") {
  const std::vector<Action> actions = viewerActions();
  const auto findActionName = [&](const char* chord) {
    const Action* action = actionOfChord(actions, chord);
    return action != nullptr ? action->name : std::string();
  };
  CHECK(findActionName("Space") == "Play or pause");
  CHECK(findActionName("F5") == "Reload");
  CHECK(findActionName("F") == "Frame the model");
  CHECK(findActionName("T") == "Turntable");
  CHECK(findActionName("?") == "Keys");
  CHECK(actionOfChord(actions, "1")->group == "View/Method");
  CHECK(searchActions(actions, "BONES mesh").front()->name == "Skeleton");
}

TEST_CASE("actions: toggles and methods change the settings, and say so") {
  const std::vector<Action> actions = viewerActions();
  Viewer viewer;
  for (const char* key : {"W", "N", "S", "X", "G", "I", "T", "L", "C", "Tab"}) {
    CAPTURE(key);
    const Action* action = actionOfChord(actions, key);
    REQUIRE(action != nullptr);
    const bool before = action->checked(viewer);
    action->run(viewer);
    CHECK(action->checked(viewer) == !before);
    action->run(viewer);
    CHECK(action->checked(viewer) == before);
  }
  actionOfChord(actions, "1")->run(viewer);
  CHECK(activeChoice(viewer.session.document).method == &methods().front());
  CHECK(actionOfChord(actions, "1")->checked(viewer));
  CHECK_NOTHROW(checkSettings(viewer.session.document.settings));
}

TEST_CASE("actions: each is in a menu, under a name that only it has there") {
  std::set<std::string> places;
  for (const Action& action : viewerActions()) {
    CAPTURE(action.name);
    const std::string menu = action.group.substr(0, action.group.find('/'));
    CHECK(std::ranges::find(kMenus, menu) != kMenus.end());
    CHECK(places.insert(action.group + "/" + action.name).second);
  }
}

TEST_CASE("modes: each comes back with the tab and takes the tools of the others away") {
  const std::vector<Action> actions = viewerActions();
  Viewer viewer;
  Ui& ui = viewer.ui;
  const auto press = [&](const char* key) { actionOfChord(actions, key)->run(viewer); };
  for (const SideTabInfo& info : kSideTabs) {
    const SideTab tab = info.tab;
    const Mode mode = info.mode;
    showTab(viewer.session.document, ui, tab);
    CHECK(ui.tab == tab);
    for (const ModeInfo& other : kWindowModes) {
      showMode(viewer.session.document, ui, other.mode);
      CHECK(toMode(ui.tab) == other.mode);
    }
    showMode(viewer.session.document, ui, mode);
    CHECK(ui.tab == (tab == SideTab::morph ? SideTab::pose : tab)); // no morph targets here
  }
  showTab(viewer.session.document, ui, SideTab::paint);
  CHECK(viewer.session.document.tool == Tool::paint);
  press("Ctrl+1");
  CHECK(toMode(ui.tab) == Mode::look);
  CHECK(viewer.session.document.tool == Tool::rotate);
  press("Ctrl+3");
  CHECK(ui.tab == SideTab::paint);
  CHECK(viewer.session.document.tool == Tool::paint);
}

TEST_CASE("actions: Escape clears the selection first, then messages") {
  const std::vector<Action> actions = viewerActions();
  Viewer viewer;
  viewer.session = makeSession({}, {});
  viewer.ui.toasts.push_back({"a message", 1e9, {}});
  viewer.session.document.selected = 0;
  const Action& escape = *actionOfChord(actions, "Escape");
  escape.run(viewer);
  CHECK(!viewer.session.document.selected);
  CHECK(viewer.ui.toasts.size() == 1);
  escape.run(viewer);
  CHECK(viewer.ui.toasts.empty());
}

TEST_CASE("keys: names of presses follow the layout for letters and the place for digits") {
  CHECK(chordOfKey(GLFW_KEY_A, "q", 0) == "Q"); // a French keyboard
  CHECK(chordOfKey(GLFW_KEY_A, "ф", 0) == "A"); // a Russian one
  CHECK(chordOfKey(GLFW_KEY_A, nullptr, 0) == "A");
  CHECK(chordOfKey(GLFW_KEY_1, "&", 0) == "1");
  CHECK(chordOfKey(GLFW_KEY_KP_7, nullptr, 0) == "7");
  CHECK(chordOfKey(GLFW_KEY_O, "o", GLFW_MOD_CONTROL) == "Ctrl+O");
  CHECK(chordOfKey(GLFW_KEY_F12, nullptr, GLFW_MOD_SHIFT) == "Shift+F12");
  CHECK(chordOfKey(GLFW_KEY_SPACE, nullptr, 0) == "Space");
  CHECK(chordOfKey(GLFW_KEY_LEFT_SHIFT, nullptr, GLFW_MOD_SHIFT).empty());
  CHECK(chordOfKey(GLFW_KEY_SLASH, "/", GLFW_MOD_SHIFT).empty()); // comes as a character
  CHECK(chordOfCharacter('?') == "?");
  CHECK(chordOfCharacter('a').empty());
  CHECK(chordOfCharacter(0x44f).empty());
}

} // namespace sinew
