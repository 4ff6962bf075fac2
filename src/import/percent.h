// "%20" and its like, which URIs in Collada and glTF files have.
#pragma once

#include <charconv>
#include <string>
#include <string_view>

namespace sinew {

// "a%20b" as "a b". What is no escape stays.
inline std::string decodePercent(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(&text[i + 1], &text[i + 3], value, 16).ptr == &text[i + 3] && value != 0) {
      out += static_cast<char>(value);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

} // namespace sinew
