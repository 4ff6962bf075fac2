// A way to draw without a window, and what graphics the machine has.
//
// The window's context is made by GLFW elsewhere; it only calls loadGl(). Everything else in gl/
// and render/ works in whichever context is current on the calling thread.
#pragma once

#include "gl/load.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

// Ways to a context without a display server.
enum class ContextKind {
  device,      // EGL device platform: a hardware device, where there is one (NVIDIA)
  surfaceless, // Mesa's surfaceless platform: hardware or llvmpipe
};
std::string toString(ContextKind kind);

// An OpenGL 3.3 core context without a surface; current from its making to its end. Its first
// framebuffer does not exist: draw to a Framebuffer.
class HeadlessContext {
 public:
  // The first kind that works: a hardware device, then surfaceless, then a software device. Throws
  // graphicsError that says what was tried and why each failed.
  HeadlessContext();
  explicit HeadlessContext(ContextKind kind);
  ~HeadlessContext();
  HeadlessContext(HeadlessContext&&) noexcept;
  HeadlessContext& operator=(HeadlessContext&&) noexcept;

  ContextKind kind() const;
  void makeCurrent() const;

 private:
  struct Egl;
  static std::unique_ptr<Egl> open(std::optional<ContextKind> only);

  std::unique_ptr<Egl> egl_;
};

// Tries every kind of context; for `sinew doctor`. Leaves no context current.
struct ContextReport {
  ContextKind kind = ContextKind::surfaceless;
  std::string device; // the EGL device, if there are several
  bool works = false;
  std::string problem; // why not
  GlInfo info;         // if it works
};
std::vector<ContextReport> probeContexts();

} // namespace sinew
