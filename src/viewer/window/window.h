// The window: GLFW, its OpenGL 3.3 core context and Dear ImGui in it. Owns all three.
#pragma once

#include "editor/preferences.h"
#include "viewer/window/window_input.h"

#include <memory>
#include <string>

struct GLFWwindow;

namespace sinew {

class Window {
 public:
  // Throws graphicsError without a display or without OpenGL 3.3.
  Window(const WindowPlace& place, const std::string& title);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  bool closed() const;
  void stayOpen(); // ignores that the close button was pressed
  void hide();
  void setTitle(const std::string& title);
  void setSwapInterval(int interval);

  // Handles pending events, or waits up to that long for one. Any thread may call wake().
  void poll(double waitSeconds);
  static void wake();
  WindowEvents takeEvents();
  InputQueue& input() { return input_.queue; }
  bool waiting() const { return !input_.queue.empty(); } // input that no frame has seen yet

  // Begins ImGui's frame; present() shows the picture. Keys and double clicks are for the caller.
  // panelScale: scale of text and panels, times the desktop's. popups: as for InputQueue::take().
  FrameInput beginFrame(bool lightTheme, float panelScale, bool popups);
  void drawInterface(); // draws into the window's framebuffer
  void present();

  int framebufferWidth() const;
  int framebufferHeight() const;
  float pixelsPerUnit() const; // framebuffer pixels per ImGui (and mouse) unit
  float refreshRate() const;   // frames a second of the screen
  bool hidden() const;         // iconified or of no size
  WindowPlace place() const;

 private:
  void createInterface();
  void rebuildFonts(bool light, float panelScale);

  GLFWwindow* window_ = nullptr;
  float scale_ = 0.0f; // scale of fonts and spacing
  bool light_ = false; // the theme
  WindowInput input_;
  WindowPlace restored_; // the place when not maximized
};

} // namespace sinew
