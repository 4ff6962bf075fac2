#include "viewer/window/window_input.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui/backends/imgui_impl_glfw.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <cctype>
#include <limits>
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

WindowInput& getInput(GLFWwindow* window) {
  auto& input = *static_cast<WindowInput*>(glfwGetWindowUserPointer(window));
  input.events.any = true;
  return input;
}

WindowEvents& getEvents(GLFWwindow* window) {
  return getInput(window).events;
}

void heldOn(InputQueue& queue, Modifiers& held, int key, bool down) {
  bool* of = key == GLFW_KEY_LEFT_CONTROL || key == GLFW_KEY_RIGHT_CONTROL ? &held.control
             : key == GLFW_KEY_LEFT_SHIFT || key == GLFW_KEY_RIGHT_SHIFT   ? &held.shift
             : key == GLFW_KEY_LEFT_ALT || key == GLFW_KEY_RIGHT_ALT       ? &held.alt
             : key == GLFW_KEY_LEFT_SUPER || key == GLFW_KEY_RIGHT_SUPER   ? &held.super
                                                                           : nullptr;
  if (of == nullptr) return;
  *of = down;
  queue.push(held);
}

KeyEvent::Kind classifyKey(int key, int mods) {
  if (key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER) return KeyEvent::Kind::modifier;
  const bool writes = key > GLFW_KEY_SPACE && key <= GLFW_KEY_WORLD_2; // a space also chooses
  return writes && (mods & ~GLFW_MOD_SHIFT) == 0 ? KeyEvent::Kind::typed : KeyEvent::Kind::other;
}

void onKey(GLFWwindow* window, int key, int scancode, int action, int mods) {
  WindowInput& input = getInput(window);
  heldOn(input.queue, input.held, key, action != GLFW_RELEASE);
  const bool alt = key == GLFW_KEY_LEFT_ALT;
  if (action == GLFW_PRESS) input.altAlone = alt && (mods & ~GLFW_MOD_ALT) == 0;
  if (action != GLFW_REPEAT) // Dear ImGui repeats keys by itself
    input.queue.push(KeyEvent{key, scancode, mods, action == GLFW_PRESS, classifyKey(key, mods)});
  if (action == GLFW_RELEASE) {
    if (alt && std::exchange(input.altAlone, false)) input.queue.push(Chord{"Alt", false});
    return;
  }
  const std::string chord = chordOfKey(key, glfwGetKeyName(key, scancode), mods);
  if (!chord.empty()) input.queue.push(Chord{chord, action == GLFW_REPEAT});
}

void onCharacter(GLFWwindow* window, unsigned int codepoint) {
  InputQueue& queue = getInput(window).queue;
  queue.push(codepoint);
  const std::string chord = chordOfCharacter(codepoint);
  if (!chord.empty()) queue.push(Chord{chord, false});
}

void onMouseButton(GLFWwindow* window, int button, int action, int /*mods*/) {
  constexpr double kDoubleClickSeconds = 0.35;
  WindowInput& input = getInput(window);
  input.altAlone = false;
  if (action == GLFW_RELEASE) return input.queue.releaseButton(button);
  if (button != GLFW_MOUSE_BUTTON_LEFT) return input.queue.pressButton(button, false);
  const double now = glfwGetTime();
  const bool twice =
      input.leftPressedAt >= 0.0 && now - input.leftPressedAt < kDoubleClickSeconds + input.unseen;
  input.queue.pressButton(button, twice);
  input.leftPressedAt = twice ? -1.0 : now; // a third press starts again
}

void onDrop(GLFWwindow* window, int count, const char** paths) {
  WindowEvents& events = getEvents(window);
  for (int i = 0; i < count; ++i)
    events.dropped.emplace_back(paths[i]);
}

void setCallbacks(GLFWwindow* window, WindowInput& input) {
  glfwSetWindowUserPointer(window, &input);
  glfwSetDropCallback(window, onDrop);
  glfwSetCursorPosCallback(
      window, [](GLFWwindow* w, double x, double y) { getInput(w).queue.moveMouse(vec2(x, y)); });
  glfwSetMouseButtonCallback(window, onMouseButton);
  glfwSetScrollCallback(window, [](GLFWwindow* w, double, double) { getEvents(w); });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int) { getEvents(w); });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) { getEvents(w); });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { getEvents(w); });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { getEvents(w); });
  glfwSetWindowCloseCallback(window, [](GLFWwindow* w) { getEvents(w); });
}

} // namespace

void listen(GLFWwindow& window, WindowInput& input) {
  setCallbacks(&window, input); // before ImGui's, which calls ours
  ImGui_ImplGlfw_InitForOpenGL(&window, true);
  // Replaces ImGui's callbacks, which get what the queue gives a frame.
  glfwSetKeyCallback(&window, onKey);
  glfwSetCharCallback(&window, onCharacter);
}

void showInput(GLFWwindow& window, const FrameInput& input) {
  ImGuiIO& io = ImGui::GetIO();
  for (const KeyEvent& key : input.keys)
    ImGui_ImplGlfw_KeyCallback(&window, key.key, key.scancode, key.down ? GLFW_PRESS : GLFW_RELEASE,
                               key.mods);
  for (const unsigned character : input.characters)
    io.AddInputCharacter(character);
  showMouse(input);
}

void showMouse(const FrameInput& input) {
  constexpr float kDoubleClick = 0.3f; // Dear ImGui's own
  ImGuiIO& io = ImGui::GetIO();
  // Dear ImGui counts the seconds of its frames, in which two quick clicks may be far apart.
  io.MouseDoubleClickTime = input.doubleClick ? std::numeric_limits<float>::max() : kDoubleClick;
  bool held = false;
  for (std::size_t i = 0; i < FrameInput::kButtons; ++i)
    held |= io.MouseDown[i] = input.down[i];
  if (input.mouse && (held || ImGui::IsMousePosValid(&io.MousePos)))
    io.MousePos = {input.mouse->x, input.mouse->y};
  if (!input.modifiers) return;
  io.KeyCtrl = input.modifiers->control;
  io.KeyShift = input.modifiers->shift;
  io.KeyAlt = input.modifiers->alt;
  io.KeySuper = input.modifiers->super;
}

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
