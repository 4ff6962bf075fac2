#include "viewer/state/short_text.h"

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

constexpr const char* kEllipsis = "\xe2\x80\xa6";

// Bytes up to the last whole character of the first `bytes`.
std::size_t wholeCharacters(const std::string& text, std::size_t bytes) {
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xc0u) == 0x80u)
    --bytes;
  return bytes;
}

// The longest beginning of a text that does not fit, for which it fits with `ending` behind it.
std::string longestBeginning(const std::string& text, const char* ending, const Fits& fits) {
  std::size_t low = 0; // it lies from here on
  std::size_t high = text.empty() ? 0 : text.size() - 1;
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    if (fits(text.substr(0, wholeCharacters(text, middle)) + ending))
      low = middle;
    else
      high = middle - 1;
  }
  return text.substr(0, wholeCharacters(text, low));
}

// Bytes of a word without room that stand in its first line: up to the end of a folder or of a part
// of a name, else as many as fit, and one character at least.
std::size_t breakWord(const std::string& word, const Fits& fits) {
  const std::size_t fitting = longestBeginning(word, "", fits).size();
  const std::size_t part =
      fitting == 0 ? std::string::npos : word.find_last_of("/_-.", fitting - 1);
  if (part != std::string::npos) return part + 1;
  std::size_t character = 1;
  while (character < word.size() && wholeCharacters(word, character) == 0)
    ++character;
  return std::max(fitting, character);
}

void wrapLine(const std::string& text, const Fits& fits, std::vector<std::string>& lines) {
  if (fits(text)) return lines.push_back(text);
  std::string line;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    std::string word = text.substr(at, end - at);
    at = end + 1;
    std::string longer = line;
    if (!longer.empty()) longer += ' ';
    longer += word;
    if (fits(longer)) {
      line = std::move(longer);
      continue;
    }
    if (!line.empty()) lines.push_back(std::move(line));
    while (!fits(word)) {
      const std::size_t bytes = breakWord(word, fits);
      if (bytes >= word.size()) break;
      lines.push_back(word.substr(0, bytes));
      word.erase(0, bytes);
    }
    line = std::move(word);
  }
  lines.push_back(std::move(line));
}

} // namespace

std::string elided(const std::string& text, const Fits& fits) {
  return fits(text) ? text : longestBeginning(text, kEllipsis, fits) + kEllipsis;
}

std::string wrapped(const std::string& text, const Fits& fits) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    wrapLine(text.substr(at, end - at), fits, lines);
    at = end + 1;
  }
  std::string out = lines.front();
  for (std::size_t i = 1; i < lines.size(); ++i)
    out += '\n' + lines[i];
  return out;
}

std::vector<std::string> firstThatFits(const std::vector<std::vector<std::string>>& forms,
                                       const Fits& fits) {
  for (const std::vector<std::string>& texts : forms)
    if (std::ranges::all_of(texts, fits)) return texts;
  std::vector<std::string> last = forms.back();
  for (std::string& text : last)
    text = elided(text, fits);
  return last;
}

std::vector<std::string> withoutCommonStart(std::vector<std::string> texts, std::string_view ends) {
  if (texts.size() < 2) return texts;
  std::size_t common = 0; // bytes, up to the end of a word
  for (std::size_t i = 0; i < texts[0].size(); ++i) {
    const char c = texts[0][i];
    const auto has = [&](const std::string& text) { return i < text.size() && text[i] == c; };
    if (!std::ranges::all_of(texts, has)) break;
    if (ends.find(c) != std::string_view::npos) common = i + 1;
  }
  const auto left = [&](const std::string& text) { return text.size() > common; };
  if (!std::ranges::all_of(texts, left)) return texts;
  for (std::string& text : texts)
    text.erase(0, common);
  return texts;
}

} // namespace sinew
