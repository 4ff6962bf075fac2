// Everything a key or a menu entry can do: one table drives the keys, the menus and the list under
// "?". An action without a key is still in menus and list.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct Viewer; // the composition root (viewer_state.h): only the table of actions looks into it

inline constexpr std::array kMenus{"File", "Edit", "View", "Model", "Help"};

struct Action {
  std::string group; // its menu of kMenus, and after "/" the submenu: "View/Show"
  std::string name;
  std::vector<std::string> keys; // chords as in window_input.h; the first one is shown
  std::string help;
  std::function<void(Viewer&)> run;
  std::function<bool(const Viewer&)> checked = {}; // toggles only: whether it is ticked in menus
  bool repeats = false;                            // runs again while the key is held
  std::string synonyms = {};                       // further words that a search finds it by
};

// The actions whose name, help, group, key or synonyms hold every word, in the table's order.
std::vector<const Action*> searchActions(std::span<const Action> actions, std::string_view words);

// The most similar name for words that find nothing; empty if none is similar.
std::string meantAction(std::span<const Action> actions, std::string_view words);

// Null if the chord means nothing.
const Action* actionOfChord(std::span<const Action> actions, std::string_view chord);

} // namespace sinew
