#include "gl/texture.h"

#include "core/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

GLuint TextureKind::create() {
  GLuint name = 0;
  glGenTextures(1, &name);
  return name;
}

void TextureKind::destroy(GLuint name) {
  glDeleteTextures(1, &name);
}

Texture2D::Texture2D(const Image& image, Texels texels) : handle_(Handle<TextureKind>::make()) {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  if (image.width == 0 || image.height == 0 ||
      std::max(image.width, image.height) > static_cast<std::uint32_t>(largest))
    throw graphicsError(
        fmt::format("a texture of {}x{} pixels cannot be drawn here", image.width, image.height),
        fmt::format("1 to {} pixels each way are possible", largest));
  glBindTexture(GL_TEXTURE_2D, name());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  GLint level = 0;
  const auto upload = [&](const Image& of) {
    glTexImage2D(GL_TEXTURE_2D, level++, texels == Texels::light ? GL_SRGB8_ALPHA8 : GL_RGBA8,
                 static_cast<GLsizei>(of.width), static_cast<GLsizei>(of.height), 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, of.rgba.data());
  };
  upload(image);
  for (const Image& smaller : makeMipmaps(image, texels))
    upload(smaller);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
}

BufferTexture::BufferTexture(const Buffer& buffer, GLenum format)
    : handle_(Handle<TextureKind>::make()) {
  glBindTexture(GL_TEXTURE_BUFFER, name());
  glTexBuffer(GL_TEXTURE_BUFFER, format, buffer.name());
}

} // namespace sinew
