// Reading GLSL text line by line, as far as joining and trimming shaders needs it: no parser.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// The lines of the text, without their line ends.
std::vector<std::string_view> splitLines(std::string_view text);

// The letters, digits and underscores at the front of the text, which is shortened by them.
std::string_view takeWord(std::string_view& text);

// Removes the prefix and tells whether the text began with it.
bool takePrefix(std::string_view& text, std::string_view prefix);

// Whether the text has this word outside of // comments.
bool mentions(std::string_view text, std::string_view word);

// Names of the functions that the text defines: "TYPE NAME(" at the start of a line that is no
// prototype.
std::vector<std::string_view> listFunctions(std::string_view text);

// The text with its #if, #ifdef, #ifndef, #elif, #else and #endif lines resolved for these defines
// ("NAME VALUE" or "NAME"). Conditions are NAME == NUMBER, NAME > NUMBER and defined(NAME), alone;
// throws graphicsError for others.
std::string resolveConditionals(std::string_view text, std::span<const std::string> defines);

} // namespace sinew
