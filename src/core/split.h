// Text between separators.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// "a,,b," has the parts "a", "" and "b", and "" has none. It is no stream: those bring std::locale,
// of which the modules for browsers would hold a hundred kilobytes.
inline std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return parts;
}

} // namespace sinew
