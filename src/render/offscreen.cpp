#include "render/offscreen.h"

#include <glad/gl.h>
#include <glm/vec2.hpp>

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace sinew {
namespace {

// New storage where it does not have what is wanted.
void allocate(Framebuffer& framebuffer, int width, int height, int samples) {
  if (framebuffer.name() == 0 || framebuffer.width() != width || framebuffer.height() != height ||
      framebuffer.samples() != samples)
    framebuffer = Framebuffer(width, height, samples);
}

} // namespace

Image readBoundFramebuffer(int x, int y, int width, int height) {
  Image image{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), {}};
  const std::size_t row = std::size_t{4} * image.width;
  std::vector<std::uint8_t> bottomUp(row * image.height);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(x, y, width, height, GL_RGBA, GL_UNSIGNED_BYTE, bottomUp.data());
  image.rgba.reserve(bottomUp.size());
  for (std::size_t r = image.height; r-- > 0;)
    image.rgba.insert(image.rgba.end(), bottomUp.begin() + static_cast<std::ptrdiff_t>(r * row),
                      bottomUp.begin() + static_cast<std::ptrdiff_t>((r + 1) * row));
  for (std::size_t i = 3; i < image.rgba.size(); i += 4)
    image.rgba[i] = 255; // blending leaves its own alpha; the picture is opaque
  return image;
}

Image readImage(const Framebuffer& framebuffer) {
  if (framebuffer.samples() == 1) {
    framebuffer.bind();
    return readBoundFramebuffer(0, 0, framebuffer.width(), framebuffer.height());
  }
  const Framebuffer resolved(framebuffer.width(), framebuffer.height());
  framebuffer.resolveInto(resolved);
  resolved.bind();
  Image image = readBoundFramebuffer(0, 0, framebuffer.width(), framebuffer.height());
  framebuffer.bind();
  return image;
}

OffscreenOptions offscreenOptions(int width, int height, int samples, const GlInfo& info,
                                  bool moving) {
  if (samples > 0) return {width, height, samples};
  if (moving && info.software) return {width, height, 1, true};
  return {width, height, std::clamp(info.limits.samples, 1, 4)};
}

Image renderOffscreen(OffscreenTarget& target, const OffscreenOptions& options,
                      const std::function<void()>& draw) {
  allocate(target.drawn, options.width, options.height, options.samples);
  target.drawn.bind();
  draw();
  if (options.samples == 1 && options.filterEdges)
    target.edges.apply(target.drawn, {0, 0, options.width, options.height});
  if (options.samples == 1) return readImage(target.drawn);
  allocate(target.resolved, options.width, options.height, 1);
  target.drawn.resolveInto(target.resolved);
  return readImage(target.resolved);
}

Image renderOffscreen(const OffscreenOptions& options, const std::function<void()>& draw) {
  OffscreenTarget target;
  return renderOffscreen(target, options, draw);
}

void EdgeFilter::prepare(int width, int height) {
  if (!program_) {
    const std::vector<Stage> stages{{GL_VERTEX_SHADER, {}, {findShaderSource("edges.vert")}},
                                    {GL_FRAGMENT_SHADER, {}, {findShaderSource("edges.frag")}}};
    program_ = Program(stages);
    program_.use();
    Program::set(program_.uniform("picture"), 0);
    texel_ = program_.uniform("texel");
    nothing_ = VertexArray::make();
    copy_ = Handle<TextureKind>::make();
  }
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, copy_.name());
  if (width == width_ && height == height_) return;
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  for (const GLenum filter :
       std::initializer_list<GLenum>{GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTexParameteri(GL_TEXTURE_2D, filter, GL_LINEAR);
  for (const GLenum wrap : std::initializer_list<GLenum>{GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    glTexParameteri(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_EDGE);
  width_ = width;
  height_ = height;
}

void EdgeFilter::apply(const Framebuffer& pixels, const Viewport& area) {
  if (area.width <= 0 || area.height <= 0) return;
  prepare(pixels.width(), pixels.height());
  pixels.bind();
  glCopyTexSubImage2D(GL_TEXTURE_2D, 0, area.x, area.y, area.x, area.y, area.width, area.height);
  program_.use();
  Program::set(texel_,
               glm::vec2(1.0f / static_cast<float>(width_), 1.0f / static_cast<float>(height_)));
  glBindVertexArray(nothing_.name());
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  glEnable(GL_SCISSOR_TEST);
  glScissor(area.x, area.y, area.width, area.height);
  glViewport(0, 0, width_, height_);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glEnable(GL_DEPTH_TEST);
}

} // namespace sinew
