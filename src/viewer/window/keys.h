// Names of key presses: "Space", "F5", "W", "Ctrl+O", "?". Letters are those of the user's
// keyboard layout, digits also those of the number pad, and punctuation is the character typed, so
// "?" is "?" in every layout.
#pragma once

#include <string>

namespace sinew {

// The chord of a GLFW key event; empty for keys without a name here (modifiers, and punctuation,
// which comes through chordOfCharacter). layoutName: glfwGetKeyName(), may be null.
std::string chordOfKey(int key, const char* layoutName, int mods);

// The chord of a GLFW character event; empty unless it is ASCII punctuation.
std::string chordOfCharacter(unsigned int codepoint);

} // namespace sinew
