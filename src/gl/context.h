// A way to draw without a window, and what graphics the machine has.
//
// The window's context is made by GLFW elsewhere; it only calls loadGl(). Everything else in gl/
// and render/ works in whichever context is current on the calling thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

// Loads the OpenGL 3.3 core functions of the current context; in a Debug build also turns on debug
// output. Throws graphicsError where the context is older than 3.3.
using GlFunction = void (*)();
void loadGl(GlFunction (*getProcAddress)(const char* name));

// Call before the context is destroyed, after all its objects have been deleted. Deleting an OpenGL
// object later crashes at once, whether or not the driver would report it.
void unloadGl();

// Ways to a context without a display server.
enum class ContextKind {
  device,      // EGL device platform: a hardware device, where there is one (NVIDIA)
  surfaceless, // Mesa's surfaceless platform: hardware or llvmpipe
};
std::string nameOf(ContextKind kind);

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

// Of the current context.
struct GlLimits {
  int uniformBlockBytes = 0;       // GL_MAX_UNIFORM_BLOCK_SIZE, at least 16384
  int vertexUniformComponents = 0; // GL_MAX_VERTEX_UNIFORM_COMPONENTS, at least 1024
  int textureBufferTexels = 0;     // GL_MAX_TEXTURE_BUFFER_SIZE, at least 65536
  int textureSize = 0;             // GL_MAX_TEXTURE_SIZE
  int samples = 0;                 // GL_MAX_SAMPLES
  int vertexAttributes = 0;        // GL_MAX_VERTEX_ATTRIBS
};
struct GlInfo {
  std::string vendor, renderer, version, glsl;
  GlLimits limits;
  bool software = false; // llvmpipe, softpipe, ...
};
GlInfo glInfo();

// Tries every kind of context; for `sinew doctor`. Leaves no context current.
struct ContextReport {
  ContextKind kind = ContextKind::surfaceless;
  std::string device; // which EGL device, where there are several
  bool works = false;
  std::string problem; // why not
  GlInfo info;         // if it works
};
std::vector<ContextReport> probeContexts();

// Waits until the GPU has done all that it was given.
void finishGl();

// Throws graphicsError with every pending GL error; `where` says what was being done.
void checkGlErrors(const std::string& where);

} // namespace sinew
