#include "gl/framebuffer.h"

#include "core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace sinew {

GLuint FramebufferKind::create() {
  GLuint name = 0;
  glGenFramebuffers(1, &name);
  return name;
}
void FramebufferKind::destroy(GLuint name) {
  glDeleteFramebuffers(1, &name);
}
GLuint RenderbufferKind::create() {
  GLuint name = 0;
  glGenRenderbuffers(1, &name);
  return name;
}
void RenderbufferKind::destroy(GLuint name) {
  glDeleteRenderbuffers(1, &name);
}

Framebuffer::Framebuffer(int width, int height, int samples)
    : width_(width), height_(height), samples_(samples) {
  allocate();
}

void Framebuffer::allocate() {
  GLint largest = 0;
  GLint maxSamples = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
  glGetIntegerv(GL_MAX_SAMPLES, &maxSamples);
  if (std::min(width_, height_) < 1 || std::max(width_, height_) > largest)
    throw graphicsError(
        fmt::format("a picture of {}x{} pixels cannot be drawn here", width_, height_),
        fmt::format("1 to {} pixels each way are possible", largest));
  if (samples_ < 1 || samples_ > std::max(maxSamples, 1))
    throw graphicsError(fmt::format("{} samples a pixel cannot be drawn here", samples_),
                        fmt::format("1 to {} are possible", std::max(maxSamples, 1)));

  handle_ = Handle<FramebufferKind>::make();
  color_ = Handle<RenderbufferKind>::make();
  depth_ = Handle<RenderbufferKind>::make();
  const GLsizei stored = samples_ > 1 ? samples_ : 0; // 0: an ordinary renderbuffer
  glBindRenderbuffer(GL_RENDERBUFFER, color_.name());
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, stored, GL_RGBA8, width_, height_);
  glBindRenderbuffer(GL_RENDERBUFFER, depth_.name());
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, stored, GL_DEPTH_COMPONENT24, width_, height_);

  GLint bound = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
  glBindFramebuffer(GL_FRAMEBUFFER, name());
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_.name());
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_.name());
  const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(bound));
  if (status != GL_FRAMEBUFFER_COMPLETE)
    throw graphicsError(fmt::format("the driver refuses a framebuffer of {}x{} pixels with {} "
                                    "samples (0x{:x})",
                                    width_, height_, samples_, status));
}

void Framebuffer::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, name());
}

void Framebuffer::resize(int width, int height) {
  if (width == width_ && height == height_) return;
  *this = Framebuffer(width, height, samples_);
}

void Framebuffer::resolveInto(const Framebuffer& target) const {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, name());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target.name());
  glDisable(GL_SCISSOR_TEST); // it would clip the copy
  glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void bindWindow() {
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void Framebuffer::copyToWindow(int x, int y, int firstColumn, int endColumn) const {
  assert(samples_ == 1);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, name());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glDisable(GL_SCISSOR_TEST); // it would clip the copy
  glBlitFramebuffer(firstColumn, 0, endColumn, height_, x + firstColumn, y, x + endColumn,
                    y + height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  bindWindow();
}

} // namespace sinew
