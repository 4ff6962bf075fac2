#include "viewer/window/window.h"

#include "core/error.h"
#include "gl/context.h"
#include "viewer/window/theme.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui/backends/imgui_impl_glfw.h>
#include <imgui/backends/imgui_impl_opengl3.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew {
namespace {

std::string glfwProblem() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text != nullptr ? text : "no reason given";
}

GLFWwindow* createWindow(const WindowPlace& place, const std::string& title) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
#ifndef NDEBUG
  glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, GLFW_TRUE);
#endif
  glfwWindowHint(GLFW_DEPTH_BITS, 0); // the picture is rendered to an own framebuffer
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  // A size that nobody has chosen grows with the desktop's scale.
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, place == WindowPlace() ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_MAXIMIZED, place.maximized ? GLFW_TRUE : GLFW_FALSE);
  return glfwCreateWindow(place.width, place.height, title.c_str(), nullptr, nullptr);
}

// A remembered place on a screen that is gone would put the window out of reach.
bool onSomeScreen(const WindowPlace& place) {
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  for (int i = 0; i < count; ++i) {
    int x = 0, y = 0, width = 0, height = 0;
    glfwGetMonitorWorkarea(monitors[i], &x, &y, &width, &height);
    if (place.x >= x && place.y >= y && place.x < x + width - 100 && place.y < y + height - 100)
      return true;
  }
  return false;
}

} // namespace

Window::Window(const WindowPlace& place, const std::string& title) : restored_(place) {
  if (glfwInit() == GLFW_FALSE)
    throw graphicsError(
        fmt::format("no window can be opened ({})", glfwProblem()),
        "set DISPLAY, log in on a desktop or use ssh -X; 'sinew render MODEL -o picture.png' needs "
        "no display");
  window_ = createWindow(place, title);
  if (window_ == nullptr) {
    const std::string problem = glfwProblem();
    glfwTerminate();
    throw graphicsError(
        fmt::format("the display provides no OpenGL 3.3 core context ({})", problem),
        "'sinew doctor' says what graphics there is; 'sinew render MODEL -o "
        "picture.png' needs no display");
  }
  try {
    glfwMakeContextCurrent(window_);
    loadGl(reinterpret_cast<GlFunction (*)(const char*)>(glfwGetProcAddress));
    createInterface();
  } catch (...) {
    glfwDestroyWindow(window_);
    glfwTerminate();
    throw;
  }
  glfwSwapInterval(1);
  glfwSetWindowSizeLimits(window_, 480, 320, GLFW_DONT_CARE, GLFW_DONT_CARE);
  if (onSomeScreen(place)) glfwSetWindowPos(window_, place.x, place.y);
  glfwShowWindow(window_);
}

Window::~Window() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  unloadGl();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

void Window::createInterface() {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr; // the layout follows the window's size
  ImGui::GetIO().ConfigWindowsMoveFromTitleBarOnly = true;
  listen(*window_, input_);
  ImGui_ImplOpenGL3_Init("#version 330 core");
}

bool Window::closed() const {
  return glfwWindowShouldClose(window_) == GLFW_TRUE;
}

void Window::stayOpen() {
  glfwSetWindowShouldClose(window_, GLFW_FALSE);
}

void Window::hide() {
  glfwHideWindow(window_);
}

void Window::setTitle(const std::string& title) {
  glfwSetWindowTitle(window_, title.c_str());
}

void Window::setSwapInterval(int interval) {
  glfwSwapInterval(interval);
}

void Window::poll(double waitSeconds) {
  input_.unseen = glfwGetTime() - input_.lookedAt;
  if (waitSeconds > 0.0)
    glfwWaitEventsTimeout(waitSeconds);
  else
    glfwPollEvents();
  input_.lookedAt = glfwGetTime();
}

void Window::wake() {
  glfwPostEmptyEvent();
}

WindowEvents Window::takeEvents() {
  return std::exchange(input_.events, {});
}

void Window::rebuildFonts(bool light, float panelScale) {
  float x = 1.0f, y = 1.0f;
  glfwGetWindowContentScale(window_, &x, &y);
  // Where the system scales windows itself, an ImGui unit is already as large as the desktop asks.
  const float scale =
      std::clamp(panelScale * std::max(x, y) / pixelsPerUnit(), kMinPanelScale, 5.0f);
  if (scale == scale_ && light == light_) return;
  scale_ = scale;
  light_ = light;
  const bool drawn = ImGui::GetIO().Fonts->TexID != nullptr;
  applyTheme(scale, light);
  if (!drawn) return; // the first frame makes the texture
  // The texture alone: the backend does not make its buffers again in the size that it remembers.
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

FrameInput Window::beginFrame(bool lightTheme, float panelScale, bool popups) {
  rebuildFonts(lightTheme, panelScale);
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  FrameInput input = input_.queue.take(popups);
  showInput(*window_, input);
  ImGui::NewFrame();
  return input;
}

void Window::drawInterface() {
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void Window::present() {
  glfwSwapBuffers(window_);
}

int Window::framebufferWidth() const {
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  return width;
}

int Window::framebufferHeight() const {
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  return height;
}

float Window::pixelsPerUnit() const {
  int width = 0, height = 0;
  glfwGetWindowSize(window_, &width, &height);
  return width > 0 ? static_cast<float>(framebufferWidth()) / static_cast<float>(width) : 1.0f;
}

float Window::refreshRate() const {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
  return mode != nullptr && mode->refreshRate > 0 ? static_cast<float>(mode->refreshRate) : 60.0f;
}

bool Window::hidden() const {
  return glfwGetWindowAttrib(window_, GLFW_ICONIFIED) == GLFW_TRUE || framebufferWidth() == 0 ||
         framebufferHeight() == 0;
}

WindowPlace Window::place() const {
  WindowPlace place = restored_;
  place.maximized = glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) == GLFW_TRUE;
  if (place.maximized) return place;
  glfwGetWindowPos(window_, &place.x, &place.y);
  glfwGetWindowSize(window_, &place.width, &place.height);
  return place;
}

} // namespace sinew
