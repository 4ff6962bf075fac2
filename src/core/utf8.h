// Text in UTF-8, which may also be no UTF-8 at all: names come out of files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sinew {

// The beginning of a text, at most so many bytes long, that ends between two characters.
std::string_view utf8Prefix(std::string_view text, std::size_t maxBytes);

// The text with a '?' for every byte that is no part of a character.
std::string validUtf8(std::string_view text);

// The text as one line for a terminal: a blank for every character that moves the cursor, starts a
// command of the terminal or turns the direction of writing (C0, C1, line separators, embeddings
// and overrides of direction), and for every byte of C1 outside of UTF-8.
std::string printable(std::string_view text);

} // namespace sinew
