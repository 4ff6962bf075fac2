#include "viewer/state/action.h"

#include "viewer/state/file_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace sinew {

std::vector<const Action*> searchActions(std::span<const Action> actions, std::string_view words) {
  std::vector<const Action*> found;
  for (const Action& action : actions) {
    const std::string text = fmt::format("{} {} {} {}", action.group, action.name, action.help,
                                         fmt::join(action.keys, " "));
    if (holdsWords(text, words)) found.push_back(&action);
  }
  return found;
}

const Action* actionOfChord(std::span<const Action> actions, std::string_view chord) {
  for (const Action& action : actions)
    if (std::find(action.keys.begin(), action.keys.end(), chord) != action.keys.end())
      return &action;
  return nullptr;
}

} // namespace sinew
