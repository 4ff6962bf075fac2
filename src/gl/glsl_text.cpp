#include "gl/glsl_text.h"

#include <algorithm>

namespace sinew {
namespace {

bool isWordLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

} // namespace

std::vector<std::string_view> splitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

std::string_view takeWord(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), isWordLetter);
  const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(word.size());
  return word;
}

bool takePrefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool mentions(std::string_view text, std::string_view word) {
  for (std::string_view line : splitLines(text)) {
    line = line.substr(0, line.find("//"));
    while (!line.empty()) {
      const std::string_view found = takeWord(line);
      if (found == word) return true;
      if (found.empty()) line.remove_prefix(1);
    }
  }
  return false;
}

std::vector<std::string_view> listFunctions(std::string_view text) {
  std::vector<std::string_view> names;
  for (std::string_view line : splitLines(text)) {
    const bool prototype = line.substr(0, line.find(" //")).ends_with(';');
    if (prototype || takeWord(line).empty() || !takePrefix(line, " ")) continue;
    const std::string_view name = takeWord(line);
    if (!name.empty() && line.starts_with('(')) names.push_back(name);
  }
  return names;
}

} // namespace sinew
