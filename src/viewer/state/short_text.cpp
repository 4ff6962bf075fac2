#include "viewer/state/short_text.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr const char* kEllipsis = "\xe2\x80\xa6";

// Bytes up to the last whole character of the first `bytes`.
std::size_t wholeCharacters(const std::string& text, std::size_t bytes) {
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xc0u) == 0x80u)
    --bytes;
  return bytes;
}

} // namespace

std::string elided(const std::string& text, const Fits& fits) {
  if (fits(text)) return text;
  std::size_t low = 0; // the longest beginning that fits lies from here on
  std::size_t high = text.empty() ? 0 : text.size() - 1;
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    if (fits(text.substr(0, wholeCharacters(text, middle)) + kEllipsis))
      low = middle;
    else
      high = middle - 1;
  }
  return text.substr(0, wholeCharacters(text, low)) + kEllipsis;
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
