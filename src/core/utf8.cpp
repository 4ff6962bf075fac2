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

} // namespace sinew
