// The depths of what a light shines on, seen from it by parallel rays.
#pragma once

#include "core/bounds.h"
#include "core/transform.h"
#include "gl/framebuffer.h"
#include "gl/texture.h"
#include "render/programs.h"

#include <array>

namespace sinew {

class ShadowMap {
 public:
  static constexpr int kSide = kShadowSide;

  // Needs a current context: makes texture and framebuffer at the first call.
  void prepare();
  void bindFramebuffer() const;
  void bindTexture(unsigned unit) const;

  // Aims at all of the scene.
  void aim(const vec3& towardsLight, const Bounds& scene);
  bool isAimedAt(const vec3& towardsLight, const Bounds& scene) const;
  const mat4& clipFromWorld() const { return clipFromWorld_; }
  // The columns of what takes a point to coordinates and depth in the map; last w: a texel's size.
  std::array<vec4, 4> shadowFromWorld() const;

 private:
  Handle<FramebufferKind> framebuffer_;
  Handle<TextureKind> depths_;
  mat4 clipFromWorld_{1.0f};
  vec3 towardsLight_{0.0f};
  Bounds scene_;
  float texel_ = 0.0f;
};

} // namespace sinew
