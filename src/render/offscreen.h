// Pictures without a window.
#pragma once

#include "gl/framebuffer.h"
#include "gl/load.h"
#include "gl/program.h"
#include "gl/texture.h"
#include "gl/vertex_array.h"
#include "model/model.h"
#include "view/view.h"

#include <functional>

namespace sinew {

// Softens the jagged edges of a picture with one sample a pixel: the form for consoles of Lottes
// 2009, FXAA. Cheaper than several samples, for pictures that move.
class EdgeFilter {
 public:
  // Filters a rectangle of a framebuffer of one sample a pixel, which stays bound.
  void apply(const Framebuffer& pixels, const Viewport& area);

 private:
  void prepare(int width, int height);

  Program program_;
  Uniform texel_;
  VertexArray nothing_; // the corners follow from the vertices' numbers
  Handle<TextureKind> copy_;
  int width_ = 0, height_ = 0;
};

struct OffscreenOptions {
  int width = 1280;
  int height = 720;
  int samples = 4; // per pixel; 1: no antialiasing. Throws graphicsError above the driver's limit
  bool filterEdges = false; // softens them where there is one sample a pixel
};

// The samples per pixel that a user asks for; 0: four. For what moves, a processor that draws takes
// one sample and filters edges: four would take twice as long. info: that of the current context.
OffscreenOptions offscreenOptions(int width, int height, int samples, const GlInfo& info,
                                  bool moving);

// Framebuffers that are kept from one picture to the next; to end with the context current.
struct OffscreenTarget {
  Framebuffer drawn;
  Framebuffer resolved; // used if `drawn` has several samples per pixel
  EdgeFilter edges;     // used if it has one
};

// Binds a framebuffer of that size, calls draw, and returns what it drew, rows from the top.
Image renderOffscreen(OffscreenTarget& target, const OffscreenOptions& options,
                      const std::function<void()>& draw);
Image renderOffscreen(const OffscreenOptions& options, const std::function<void()>& draw);

// Reads a framebuffer back: resolves its samples, 8-bit RGBA, rows from the top, alpha 255.
Image readImage(const Framebuffer& framebuffer);

// The bound framebuffer's pixels of a rectangle (a window's screenshot), rows from the top.
Image readBoundFramebuffer(int x, int y, int width, int height);

} // namespace sinew
