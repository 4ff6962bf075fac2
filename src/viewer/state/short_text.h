// Text for little room: shortened to what differs, and to what fits.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

using Fits = std::function<bool(const std::string&)>;

// The text if it fits, else as much of its beginning as fits with an ellipsis behind it; whole
// characters of UTF-8, and of a text that does not fit at all the ellipsis alone.
std::string elided(const std::string& text, const Fits& fits);

// The text in lines that fit: broken between words, and within a word only where it is longer than
// a line, behind a folder or a part of a name if it has one. Dear ImGui also breaks behind the
// point of a number or of a file's name.
std::string wrapped(const std::string& text, const Fits& fits);

// Every text of the first of the lists where all texts fit, else those of the last, elided. Lists
// go from the longest to the shortest form of the same texts.
std::vector<std::string> firstThatFits(const std::vector<std::vector<std::string>>& forms,
                                       const Fits& fits);

// Removes the words that all of several texts begin with, but leaves each at least one word. A word
// ends with one of the characters `ends`.
std::vector<std::string> withoutCommonStart(std::vector<std::string> texts,
                                            std::string_view ends = " ");

} // namespace sinew
