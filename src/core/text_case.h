// Upper and lower case, of ASCII letters.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace sinew {

inline bool equalWithoutCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

// With a capital letter at its start.
inline std::string capitalised(std::string text) {
  if (!text.empty())
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

} // namespace sinew
