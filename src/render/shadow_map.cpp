#include "render/shadow_map.h"

#include <glad/gl.h>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include <array>
#include <cmath>
#include <initializer_list>

namespace sinew {

void ShadowMap::prepare() {
  if (framebuffer_) return;
  GLint bound = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
  depths_ = Handle<TextureKind>::make();
  glBindTexture(GL_TEXTURE_2D, depths_.name());
  glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, kSide, kSide, 0, GL_DEPTH_COMPONENT,
               GL_UNSIGNED_INT, nullptr);
  for (const GLenum filter :
       std::initializer_list<GLenum>{GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTexParameteri(GL_TEXTURE_2D, filter, GL_LINEAR);
  for (const GLenum wrap : std::initializer_list<GLenum>{GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    glTexParameteri(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_BORDER);
  constexpr std::array kLit{1.0f, 1.0f, 1.0f, 1.0f};
  glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, kLit.data());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  framebuffer_ = Handle<FramebufferKind>::make();
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depths_.name(), 0);
  glDrawBuffer(GL_NONE);
  glReadBuffer(GL_NONE);
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(bound));
}

void ShadowMap::bindFramebuffer() const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
}

void ShadowMap::bindTexture(unsigned unit) const {
  glActiveTexture(GL_TEXTURE0 + unit);
  glBindTexture(GL_TEXTURE_2D, depths_.name());
}

void ShadowMap::aim(const vec3& towardsLight, const Bounds& scene) {
  towardsLight_ = towardsLight;
  scene_ = scene;
  const vec3 middle = scene.empty() ? vec3(0.0f) : scene.center();
  const float size = scene.empty() ? 0.0f : glm::length(scene.extent());
  const float radius = size > 0.0f ? 0.55f * size : 1.0f; // a little room for what moves
  const vec3 up = std::abs(towardsLight.y) < 0.95f ? vec3(0, 1, 0) : vec3(1, 0, 0);
  const mat4 lightFromWorld = glm::lookAt(middle + 2.0f * radius * towardsLight, middle, up);
  clipFromWorld_ =
      glm::ortho(-radius, radius, -radius, radius, 0.5f * radius, 3.5f * radius) * lightFromWorld;
  texel_ = 2.0f * radius / static_cast<float>(kSide);
}

bool ShadowMap::isAimedAt(const vec3& towardsLight, const Bounds& scene) const {
  return towardsLight == towardsLight_ && scene.min == scene_.min && scene.max == scene_.max;
}

std::array<vec4, 4> ShadowMap::shadowFromWorld() const {
  const mat4 half = glm::translate(mat4(1.0f), vec3(0.5f)) * glm::scale(mat4(1.0f), vec3(0.5f));
  const mat4 m = half * clipFromWorld_;
  return {m[0], m[1], m[2], vec4(vec3(m[3]), texel_)};
}

} // namespace sinew
