#include "render/offscreen.h"

#include <glad/gl.h>

#include <algorithm>

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

} // namespace sinew
