#include "gl/count_objects.h"

#include <glad/gl.h>

#include <initializer_list>

namespace sinew {

std::size_t countGlObjects() {
  constexpr GLuint kNames = 1 << 14;
  glUseProgram(0);
  std::size_t count = 0;
  for (GLuint name = 1; name < kNames; ++name)
    for (const bool is : {glIsBuffer(name) == GL_TRUE, glIsTexture(name) == GL_TRUE,
                          glIsVertexArray(name) == GL_TRUE, glIsFramebuffer(name) == GL_TRUE,
                          glIsRenderbuffer(name) == GL_TRUE, glIsShader(name) == GL_TRUE,
                          glIsProgram(name) == GL_TRUE, glIsQuery(name) == GL_TRUE})
      count += is ? 1 : 0;
  return count;
}

} // namespace sinew
