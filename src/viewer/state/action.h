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
  std::string group; // its menu, of kMenus, and below "/" the menu in that: "View/Show"
  std::string name;
  std::vector<std::string> keys; // chords as of window_input.h; the first is the one shown
  std::string help;
  std::function<void(Viewer&)> run;
  std::function<bool(const Viewer&)> checked = {}; // for toggles: ticked in menus
  bool repeats = false;                            // while the key is held
  std::string synonyms = {};                       // further words that find it
};

// Those whose name, help, group, key or synonyms hold every word, in the table's order.
std::vector<const Action*> searchActions(std::span<const Action> actions, std::string_view words);

// The name that was meant by words that find nothing; empty where none is like them.
std::string meantAction(std::span<const Action> actions, std::string_view words);

// Null if the chord means nothing.
const Action* actionOfChord(std::span<const Action> actions, std::string_view chord);

} // namespace sinew
