#include "skinning/exact_normals.h"

#include "rig/morph.h"
#include "skinning/joint_binding.h"

#include <glm/geometric.hpp>

#include <cmath>
#include <string>

namespace sinew {
namespace {

// Sine of the tangents' angle, below which rounding shows.
constexpr float kUnstable = 0.06f;

} // namespace

void appendGradients(const JointBinding& joints, std::span<const AttachmentGradient> gradients,
                     Binding& binding) {
  const bool one = joints.maxAttachments == 1 && !binding.variant.sharedSurface;
  for (std::size_t i = 0; i < joints.maxAttachments; ++i) {
    Attribute out{"gradient" + std::to_string(i),
                  one ? AttributeFormat::float2 : AttributeFormat::float4,
                  false,
                  {}};
    for (std::size_t v = 0; v < binding.vertexCount; ++v) {
      const std::size_t at = joints.attachments.offsets[v] + i;
      AttachmentGradient gradient;
      if (at < joints.attachments.offsets[v + 1]) gradient = gradients[at];
      append(out, one ? vec4(gradient.parameter, 0.0f, 0.0f)
                      : vec4(gradient.weight, gradient.parameter));
    }
    binding.attributes.push_back(std::move(out));
  }
}

void morphGradients(const Rig& rig, const Binding& bound, const MorphedVertices& morphed,
                    Binding& out) {
  if (bound.variant.normals != NormalMode::exact) return;
  for (const Attribute& gradients : bound.attributes) {
    if (!gradients.name.starts_with("gradient")) continue;
    Attribute& moved = findAttribute(out, gradients.name);
    for (const std::uint32_t v : morphed.vertices) {
      const SurfaceTangents before = surfaceTangents(rig.normals[v]);
      const SurfaceTangents after = surfaceTangents(morphed.normals[v]);
      const float squared = glm::dot(before.u, before.u);
      if (squared == 0.0f) continue;
      const auto expressed = [&](float u, float w) {
        const vec3 gradient = (u * before.u + w * before.v) / squared;
        return vec2(glm::dot(gradient, after.u), glm::dot(gradient, after.v));
      };
      const vec4 g = readFloat(gradients, v);
      write(moved, v, vec4(expressed(g.x, g.y), expressed(g.z, g.w)));
    }
  }
}

void takePositionsAndNormals(std::span<const SurfaceMotion> motions, SkinnedMesh& out) {
  out.positions.clear();
  out.normals.clear();
  for (const SurfaceMotion& motion : motions) {
    out.positions.push_back(motion.position);
    out.normals.push_back(motion.normal());
  }
}

ExactNormals::ExactNormals(const Binding& binding) {
  for (std::size_t i = 0; i < binding.variant.attachments; ++i)
    gradients_[i] = &findAttribute(binding, "gradient" + std::to_string(i));
}

SurfaceMotion ExactNormals::surface(std::size_t vertex, std::span<const AttachmentMotion> motions,
                                    const vec3& weights, float share) const {
  SurfaceMotion out{.start = motions[0].position, .mirrors = motions[0].mirrors};
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const vec4 read = readFloat(*gradients_[i], vertex);
    const bool one = gradients_[i]->format == AttributeFormat::float2;
    const vec4 gradient = one ? vec4(0.0f, 0.0f, read.x, read.y) : read;
    const AttachmentMotion& motion = motions[i];
    const float weight = share * weights[static_cast<int>(i)];
    // Weights sum to the share everywhere, so their growths cancel, but for that of the share, in
    // any position taken from all.
    const vec3 apart = motion.position - out.start;
    out.u += weight * motion.alongU + gradient.x * apart + gradient.z * motion.velocity;
    out.v += weight * motion.alongV + gradient.y * apart + gradient.w * motion.velocity;
    out.growth += vec2(gradient);
  }
  return out;
}

vec3 SurfaceMotion::normal() const {
  const vec3 across = mirrors ? glm::cross(v, u) : glm::cross(u, v);
  const float squared = glm::dot(across, across);
  return squared > 1e-30f ? across / std::sqrt(squared) : vec3(0.0f);
}

bool SurfaceMotion::unstable() const {
  return glm::length(glm::cross(u, v)) < kUnstable * glm::length(u) * glm::length(v);
}

} // namespace sinew
