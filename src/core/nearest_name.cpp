#include "core/nearest_name.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace sinew {
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
