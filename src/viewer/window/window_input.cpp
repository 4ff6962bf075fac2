#include "viewer/window/window_input.h"

#include "viewer/window/keys.h"

#include <GLFW/glfw3.h>
#include <imgui/backends/imgui_impl_glfw.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

WindowInput& inputOf(GLFWwindow* window) {
  auto& input = *static_cast<WindowInput*>(glfwGetWindowUserPointer(window));
  input.events.any = true;
  return input;
}

WindowEvents& eventsOf(GLFWwindow* window) {
  return inputOf(window).events;
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

void onKey(GLFWwindow* window, int key, int scancode, int action, int mods) {
  WindowInput& input = inputOf(window);
  const auto& pressed = input.pressed;
  heldOn(input.queue, input.held, key, action != GLFW_RELEASE);
  const bool alt = key == GLFW_KEY_LEFT_ALT;
  if (action == GLFW_PRESS) input.altAlone = alt && (mods & ~GLFW_MOD_ALT) == 0;
  if (action == GLFW_RELEASE) {
    if (alt && std::exchange(input.altAlone, false)) input.queue.push(Chord{"Alt", false});
    if (std::find(pressed.begin(), pressed.end(), key) != pressed.end())
      input.releases.push_back({key, scancode, mods});
    else
      ImGui_ImplGlfw_KeyCallback(window, key, scancode, action, mods);
    return;
  }
  input.pressed.push_back(key);
  ImGui_ImplGlfw_KeyCallback(window, key, scancode, action, mods);
  const std::string chord = chordOfKey(key, glfwGetKeyName(key, scancode), mods);
  if (!chord.empty()) input.queue.push(Chord{chord, action == GLFW_REPEAT});
}

void onCharacter(GLFWwindow* window, unsigned int codepoint) {
  const std::string chord = chordOfCharacter(codepoint);
  if (!chord.empty()) inputOf(window).queue.push(Chord{chord, false});
}

void onMouseButton(GLFWwindow* window, int button, int action, int /*mods*/) {
  constexpr double kDoubleClickSeconds = 0.35;
  WindowInput& input = inputOf(window);
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
  WindowEvents& events = eventsOf(window);
  for (int i = 0; i < count; ++i)
    events.dropped.emplace_back(paths[i]);
}

void setCallbacks(GLFWwindow* window, WindowInput& input) {
  glfwSetWindowUserPointer(window, &input);
  glfwSetCharCallback(window, onCharacter);
  glfwSetDropCallback(window, onDrop);
  glfwSetCursorPosCallback(
      window, [](GLFWwindow* w, double x, double y) { inputOf(w).queue.moveMouse(vec2(x, y)); });
  glfwSetMouseButtonCallback(window, onMouseButton);
  glfwSetScrollCallback(window, [](GLFWwindow* w, double, double) { eventsOf(w); });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int) { eventsOf(w); });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) { eventsOf(w); });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { eventsOf(w); });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { eventsOf(w); });
  glfwSetWindowCloseCallback(window, [](GLFWwindow* w) { eventsOf(w); });
}

} // namespace

void listen(GLFWwindow& window, WindowInput& input) {
  setCallbacks(&window, input); // before ImGui's, which calls ours
  ImGui_ImplGlfw_InitForOpenGL(&window, true);
  glfwSetKeyCallback(&window, onKey); // this one calls ImGui's
}

void showInput(const FrameInput& input) {
  ImGuiIO& io = ImGui::GetIO();
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

void releaseKeys(GLFWwindow& window, WindowInput& input) {
  for (const auto& [key, scancode, mods] : input.releases)
    ImGui_ImplGlfw_KeyCallback(&window, key, scancode, GLFW_RELEASE, mods);
  input.releases.clear();
  input.pressed.clear();
}

} // namespace sinew
