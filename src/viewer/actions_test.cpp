#include "editor/document/views.h"
#include "skinning/methods.h"
#include "viewer/actions.h"
#include "viewer/viewer_state.h"
#include "viewer/window/keys.h"

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
  const auto inverse = searchActions(actions, "IK");
  CHECK(std::ranges::find(inverse, "Reach with joints", &Action::name) != inverse.end());
  CHECK(meantAction(actions, "wirefrme") == "Wireframe");
  CHECK(meantAction(actions, "armture") == "armature"); // a synonym
  CHECK(meantAction(actions, "qqqqqq").empty());
  CHECK(searchActions(actions, "").size() == actions.size());
}

TEST_CASE("actions: the keys people were promised") {
  const std::vector<Action> actions = viewerActions();
  const auto nameOf = [&](const char* chord) {
    const Action* action = actionOfChord(actions, chord);
    return action != nullptr ? action->name : std::string();
  };
  CHECK(nameOf("Space") == "Play or pause");
  CHECK(nameOf("F5") == "Reload");
  CHECK(nameOf("F") == "Frame the model");
  CHECK(nameOf("T") == "Turntable");
  CHECK(nameOf("?") == "Keys");
  CHECK(actionOfChord(actions, "1")->group == "Method");
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
