// What was meant by a mistyped name.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sinew {

// The name that takes the fewest insertions, deletions and replacements of a letter, in any case,
// and swaps of two neighbours; empty where even that takes more than a third of the word's letters.
// Words and names of more than 64 letters are not compared.
std::string nearestName(std::string_view word, std::span<const std::string> names);

} // namespace sinew
