// Vertex array objects: which attribute comes from which bytes of which buffer.
#pragma once

#include "gl/buffer.h"
#include "gl/handle.h"

#include <cstddef>

namespace sinew {

struct VertexArrayKind {
  static GLuint create();
  static void destroy(GLuint name);
};

// One attribute inside a buffer.
struct VertexAttribute {
  GLuint location = 0;
  GLint components = 4;
  GLenum type = GL_FLOAT;
  bool normalized = false;
  bool integer = false; // an ivec or uvec in GLSL
  std::size_t offset = 0;
  std::size_t stride = 0;
  GLuint divisor = 0; // 1: advances by instance
};

class VertexArray {
 public:
  VertexArray() = default;
  static VertexArray make();

  void attach(const Buffer& buffer, const VertexAttribute& attribute);
  void detach(GLuint location); // back to the constant attribute value
  void attachIndices(const Buffer& buffer);

  GLuint name() const { return handle_.name(); }

 private:
  Handle<VertexArrayKind> handle_;
};

} // namespace sinew
