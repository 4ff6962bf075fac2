#include "viewer/window/window_input.h"

#include "viewer/window/keys.h"

#include <GLFW/glfw3.h>
#include <imgui/backends/imgui_impl_glfw.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace sinew {
namespace {

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
  // In place of ImGui's, which see what the queue gives a frame.
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

} // namespace sinew
