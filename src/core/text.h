// Text: UTF-8 that may be damaged, since names come out of files; separators, letter case, counts
// and mistyped names.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// The beginning of a text, at most so many bytes long, that ends between two characters.
std::string_view utf8Prefix(std::string_view text, std::size_t maxBytes);

// The text with a '?' for every byte that is no part of a character.
std::string validUtf8(std::string_view text);

// The text as one line for a terminal: a blank for every character that moves the cursor, starts a
// command of the terminal or turns the direction of writing (C0, C1, line separators, embeddings
// and overrides of direction), and for every byte of C1 outside of UTF-8.
std::string printable(std::string_view text);

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

// Upper and lower case are of ASCII letters.
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

// "1 helper", "3 helpers".
inline std::string counted(std::size_t count, std::string_view thing) {
  return std::to_string(count) + " " + std::string(thing) + (count == 1 ? "" : "s");
}

// What was meant by a mistyped word: the name that takes the fewest insertions, deletions and
// replacements of a letter, in any case, and swaps of two neighbours; empty where even that takes
// more than a third of the word's letters. Words and names of more than 64 letters are not
// compared.
std::string nearestName(std::string_view word, std::span<const std::string> names);

} // namespace sinew
