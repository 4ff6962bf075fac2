// Keyboard, mouse and window events of GLFW, and how they are passed to Dear ImGui; names of keys.
#pragma once

#include "viewer/window/input_queue.h"

#include <string>
#include <vector>

struct GLFWwindow;

namespace sinew {

// What has happened since the last look.
struct WindowEvents {
  std::vector<std::string> dropped; // files
  bool any = false;                 // anything happened, even a moved mouse: draw a new picture
};

// What the callbacks collect.
struct WindowInput {
  WindowEvents events;
  InputQueue queue;
  Modifiers held;
  bool altAlone = false;       // Alt was pressed, and no key since
  double leftPressedAt = -1.0; // glfwGetTime(); ImGui sees two presses in one poll() as one
  double lookedAt = 0.0;       // end of the last poll()
  double unseen = 0.0;         // how long an event may have waited for the current poll()
};

// Collects input from now on. ImGui's backend must be set up. The input must stay where it is.
void listen(GLFWwindow& window, WindowInput& input);

// Replaces what ImGui's backend has just looked up. The backend has no mouse position while another
// window has the mouse; a drag continues there.
void showInput(GLFWwindow& window, const FrameInput& input);

// Shows the mouse's part of the input.
void showMouse(const FrameInput& input);

// Names of key presses: "Space", "F5", "W", "Ctrl+O", "?". Letters are those of the user's
// keyboard layout, digits also those of the number pad, and punctuation is the character typed, so
// "?" is "?" in every layout.
//
// The chord of a GLFW key event; empty for keys without a name here (modifiers, and punctuation,
// which comes through chordOfCharacter). layoutName: glfwGetKeyName(), may be null.
std::string chordOfKey(int key, const char* layoutName, int mods);

// The chord of a GLFW character event; empty unless it is ASCII punctuation.
std::string chordOfCharacter(unsigned int codepoint);

} // namespace sinew
