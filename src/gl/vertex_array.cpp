#include "gl/vertex_array.h"

namespace sinew {

GLuint VertexArrayKind::create() {
  GLuint name = 0;
  glGenVertexArrays(1, &name);
  return name;
}

void VertexArrayKind::destroy(GLuint name) {
  glDeleteVertexArrays(1, &name);
}

VertexArray VertexArray::make() {
  VertexArray out;
  out.handle_ = Handle<VertexArrayKind>::make();
  return out;
}

void VertexArray::attach(const Buffer& buffer, const VertexAttribute& a) {
  glBindVertexArray(name());
  glBindBuffer(GL_ARRAY_BUFFER, buffer.name());
  const auto stride = static_cast<GLsizei>(a.stride);
  // OpenGL takes offsets as pointers. NOLINTNEXTLINE(performance-no-int-to-ptr)
  const auto* offset = reinterpret_cast<const void*>(a.offset);
  glEnableVertexAttribArray(a.location);
  if (a.integer)
    glVertexAttribIPointer(a.location, a.components, a.type, stride, offset);
  else
    glVertexAttribPointer(a.location, a.components, a.type, a.normalized ? GL_TRUE : GL_FALSE,
                          stride, offset);
  glVertexAttribDivisor(a.location, a.divisor);
}

void VertexArray::detach(GLuint location) {
  glBindVertexArray(name());
  glDisableVertexAttribArray(location);
}

void VertexArray::attachIndices(const Buffer& buffer) {
  glBindVertexArray(name());
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer.name());
}

} // namespace sinew
