#include "gl/capture.h"

#include "gl/framebuffer.h"

namespace sinew {

std::vector<Buffer> capturePoints(int first, int count, int instances, std::size_t outputs) {
  std::vector<Buffer> buffers;
  const std::size_t bytes =
      sizeof(float) * 3 * static_cast<std::size_t>(count) * static_cast<std::size_t>(instances);
  for (std::size_t i = 0; i < outputs; ++i) {
    buffers.emplace_back(bytes, GL_STREAM_READ);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, static_cast<GLuint>(i), buffers.back().name());
  }
  GLint bound = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
  const Framebuffer something(1, 1);
  something.bind();
  glEnable(GL_RASTERIZER_DISCARD);
  glBeginTransformFeedback(GL_POINTS);
  glDrawArraysInstanced(GL_POINTS, first, count, instances);
  glEndTransformFeedback();
  glDisable(GL_RASTERIZER_DISCARD);
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(bound));
  for (std::size_t i = 0; i < outputs; ++i)
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, static_cast<GLuint>(i), 0);
  return buffers;
}

} // namespace sinew
