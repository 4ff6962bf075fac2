#include "core/text.h"

#include <algorithm>
#include <cctype>
#include <vector>

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

namespace {

// Takes a whole character in UTF-8.
bool isControl(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  switch (character.size()) {
  case 1:
    return byte(0) < 0x20 || byte(0) == 0x7f;
  case 2:
    return byte(0) == 0xc2 && byte(1) < 0xa0; // C1
  case 3:
    if (byte(0) != 0xe2) return false;
    if (byte(1) == 0x80) return byte(2) >= 0xa8 && byte(2) <= 0xae; // separators, overrides
    return byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9;   // isolates
  default:
    return false;
  }
}

} // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = characterAt(text, at);
    if (length == 0) {
      const auto byte = static_cast<unsigned char>(text[at]);
      out += byte < 0xa0 ? ' ' : text[at];
      ++at;
      continue;
    }
    const std::string_view character = text.substr(at, length);
    if (isControl(character))
      out += ' ';
    else
      out += character;
    at += length;
  }
  return out;
}

namespace {

bool sameLetter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

// Damerau and Levenshtein's distance, of strings in which no part is edited twice.
std::size_t computeEditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> twoBefore, before(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    before[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({before[j] + 1, row[j - 1] + 1,
                         before[j - 1] + (sameLetter(a[i - 1], b[j - 1]) ? 0 : 1)});
      if (i > 1 && j > 1 && sameLetter(a[i - 1], b[j - 2]) && sameLetter(a[i - 2], b[j - 1]))
        row[j] = std::min(row[j], twoBefore[j - 2] + 1);
    }
    twoBefore = before;
    before.swap(row);
  }
  return before[b.size()];
}

} // namespace

std::string nearestName(std::string_view word, std::span<const std::string> names) {
  constexpr std::size_t kMaxLetters = 64; // names of a file may have a million
  std::string best;
  if (word.size() > kMaxLetters) return best;
  std::size_t least = word.size() / 3 + 1;
  for (const std::string& name : names) {
    if (name.size() > kMaxLetters) continue;
    const std::size_t distance = computeEditDistance(word, name);
    if (distance >= least) continue;
    least = distance;
    best = name;
  }
  return best;
}

} // namespace sinew
