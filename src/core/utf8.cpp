#include "core/utf8.h"

namespace sinew {

std::string_view utf8Prefix(std::string_view text, std::size_t maxBytes) {
  if (text.size() <= maxBytes) return text;
  constexpr std::size_t kLongestCharacter = 4; // bytes
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  std::size_t end = maxBytes;
  while (end > 0 && maxBytes - end < kLongestCharacter - 1 && continues(end))
    --end;
  return text.substr(0, continues(end) ? maxBytes : end);
}

namespace {

// How many bytes from `at` on are one character; 0: none.
std::size_t characterAt(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const unsigned first = byte(at);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xc2 && first < 0xe0 ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(at + i) & 0xc0) != 0x80) return 0;
  return length;
}

} // namespace

std::string validUtf8(std::string_view text) {
  std::string out(text);
  for (std::size_t at = 0; at < out.size();) {
    const std::size_t length = characterAt(out, at);
    if (length == 0) out[at] = '?';
    at += length == 0 ? 1 : length;
  }
  return out;
}

} // namespace sinew
