#include "viewer/state/action.h"

#include "core/text.h"
#include "editor/file_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

namespace sinew {

std::vector<const Action*> searchActions(std::span<const Action> actions, std::string_view words) {
  std::vector<const Action*> found;
  for (const Action& action : actions) {
    const std::string text = fmt::format("{} {} {} {} {}", action.group, action.name, action.help,
                                         fmt::join(action.keys, " "), action.synonyms);
    if (holdsWords(text, words)) found.push_back(&action);
  }
  return found;
}

std::string meantAction(std::span<const Action> actions, std::string_view words) {
  std::vector<std::string> names; // whole ones before their words
  for (const Action& action : actions)
    names.push_back(action.name);
  if (std::string name = nearestName(words, names); !name.empty()) return name;
  std::vector<std::string> parts;
  for (const Action& action : actions) {
    std::istringstream in(action.name + " " + action.synonyms);
    for (std::string part; in >> part;)
      parts.push_back(part);
  }
  return nearestName(words, parts);
}

const Action* actionOfChord(std::span<const Action> actions, std::string_view chord) {
  for (const Action& action : actions)
    if (std::find(action.keys.begin(), action.keys.end(), chord) != action.keys.end())
      return &action;
  return nullptr;
}

} // namespace sinew
