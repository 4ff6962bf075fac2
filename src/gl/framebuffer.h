// Offscreen framebuffers: colour (8-bit RGBA) and depth, with or without several samples a pixel.
#pragma once

#include "gl/handle.h"

namespace sinew {

struct FramebufferKind {
  static GLuint create();
  static void destroy(GLuint name);
};
struct RenderbufferKind {
  static GLuint create();
  static void destroy(GLuint name);
};

// The window's own framebuffer, for drawing and reading.
void bindWindow();

class Framebuffer {
 public:
  Framebuffer() = default;
  // Throws graphicsError where size or samples are beyond the driver's limits.
  Framebuffer(int width, int height, int samples = 1);

  void bind() const; // binds it for drawing and reading
  // New storage of that size; contents are lost. Does nothing where the size is the same.
  void resize(int width, int height);
  // Copies colours into another of the same size, averaging the samples.
  void resolveInto(const Framebuffer& target) const;
  // Copies colours into the window's framebuffer, the lower left corner to (x, y), and leaves that
  // one bound. Of one sample a pixel: formats may then differ.
  void copyToWindow(int x, int y) const { copyToWindow(x, y, 0, width_); }
  // The same for some columns. (x, y): where the corner of the whole picture would be.
  void copyToWindow(int x, int y, int firstColumn, int endColumn) const;

  int width() const { return width_; }
  int height() const { return height_; }
  int samples() const { return samples_; }
  GLuint name() const { return handle_.name(); }

 private:
  void allocate();

  int width_ = 0;
  int height_ = 0;
  int samples_ = 1;
  Handle<FramebufferKind> handle_;
  Handle<RenderbufferKind> color_;
  Handle<RenderbufferKind> depth_;
};

} // namespace sinew
