#include "render/edge_filter.h"

#include <glad/gl.h>
#include <glm/vec2.hpp>

#include <initializer_list>
#include <vector>

namespace sinew {

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
