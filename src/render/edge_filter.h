// Softens the jagged edges of a picture with one sample a pixel: the form for consoles of Lottes
// 2009, FXAA. Cheaper than several samples, for pictures that move.
#pragma once

#include "gl/framebuffer.h"
#include "gl/program.h"
#include "gl/texture.h"
#include "gl/vertex_array.h"
#include "view/view.h"

namespace sinew {

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

} // namespace sinew
