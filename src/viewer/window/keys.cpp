#include "viewer/window/keys.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <cctype>
#include <utility>

namespace sinew {
namespace {

constexpr std::pair<int, const char*> kNamed[] = {
    {GLFW_KEY_SPACE, "Space"},    {GLFW_KEY_ESCAPE, "Escape"},
    {GLFW_KEY_ENTER, "Enter"},    {GLFW_KEY_KP_ENTER, "Enter"},
    {GLFW_KEY_TAB, "Tab"},        {GLFW_KEY_BACKSPACE, "Backspace"},
    {GLFW_KEY_LEFT, "Left"},      {GLFW_KEY_RIGHT, "Right"},
    {GLFW_KEY_UP, "Up"},          {GLFW_KEY_DOWN, "Down"},
    {GLFW_KEY_HOME, "Home"},      {GLFW_KEY_END, "End"},
    {GLFW_KEY_PAGE_UP, "PageUp"}, {GLFW_KEY_PAGE_DOWN, "PageDown"},
    {GLFW_KEY_DELETE, "Delete"},  {GLFW_KEY_INSERT, "Insert"},
};

std::string bareName(int key, const char* layoutName) {
  for (const auto& [code, name] : kNamed)
    if (code == key) return name;
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F25) return fmt::format("F{}", key - GLFW_KEY_F1 + 1);
  if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) return std::to_string(key - GLFW_KEY_0);
  if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9) return std::to_string(key - GLFW_KEY_KP_0);
  if (key < GLFW_KEY_A || key > GLFW_KEY_Z) return {};
  // A layout without Latin letters keeps the places of the US layout.
  char letter = static_cast<char>('A' + (key - GLFW_KEY_A));
  if (layoutName != nullptr && std::isalpha(static_cast<unsigned char>(layoutName[0])) != 0 &&
      layoutName[1] == '\0')
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(layoutName[0])));
  return std::string(1, letter);
}

} // namespace

std::string chordOfKey(int key, const char* layoutName, int mods) {
  const std::string name = bareName(key, layoutName);
  if (name.empty()) return {};
  return fmt::format("{}{}{}{}", (mods & GLFW_MOD_CONTROL) != 0 ? "Ctrl+" : "",
                     (mods & GLFW_MOD_ALT) != 0 ? "Alt+" : "",
                     (mods & GLFW_MOD_SHIFT) != 0 ? "Shift+" : "", name);
}

std::string chordOfCharacter(unsigned int codepoint) {
  if (codepoint >= 128 || std::ispunct(static_cast<int>(codepoint)) == 0) return {};
  return std::string(1, static_cast<char>(codepoint));
}

} // namespace sinew
