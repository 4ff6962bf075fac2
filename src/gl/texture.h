// Textures: images and buffer textures.
#pragma once

#include "gl/buffer.h"
#include "gl/handle.h"
#include "gl/mipmaps.h"
#include "model/model.h"

namespace sinew {

struct TextureKind {
  static GLuint create();
  static void destroy(GLuint name);
};

// An image with mipmaps, repeated beyond its edges. The first row is texcoord t = 0.
class Texture2D {
 public:
  Texture2D() = default; // no GL object
  // Throws graphicsError where the image is larger than the driver allows or empty.
  explicit Texture2D(const Image& image, Texels texels = Texels::light);
  GLuint name() const { return handle_.name(); }

 private:
  Handle<TextureKind> handle_;
};

// Texels of a buffer, read by texelFetch.
class BufferTexture {
 public:
  BufferTexture() = default;
  explicit BufferTexture(const Buffer& buffer, GLenum format = GL_RGBA32F);
  GLuint name() const { return handle_.name(); }

 private:
  Handle<TextureKind> handle_;
};

} // namespace sinew
