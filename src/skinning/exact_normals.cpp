#include "skinning/exact_normals.h"

#include "rig/morph.h"
#include "skinning/joint_binding.h"

#include <glm/geometric.hpp>

#include <cmath>
#include <string>

namespace sinew {
namespace {

// Part of what the tangents are summed from that their cross product has to keep: below it rounding
// shows.
constexpr float kUnstable = 0.06f;

} // namespace

void appendGradients(const JointBinding& joints, std::span<const AttachmentGradient> gradients,
                     Binding& binding) {
  const bool one = joints.maxAttachments == 1;
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
  for (std::uint32_t i = 0; i < bound.variant.attachments; ++i) {
    const std::string name = "gradient" + std::to_string(i);
    const Attribute& gradients = findAttribute(bound, name);
    Attribute& moved = findAttribute(out, name);
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

ExactNormals::ExactNormals(const Binding& binding) {
  for (std::size_t i = 0; i < binding.variant.attachments; ++i)
    gradients_[i] = &findAttribute(binding, "gradient" + std::to_string(i));
}

ExactNormals::Tangents ExactNormals::tangents(std::size_t vertex,
                                              std::span<const AttachmentMotion> motions,
                                              const vec3& weights) const {
  Tangents sum;
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const vec4 read = readFloat(*gradients_[i], vertex);
    const bool one = gradients_[i]->format == AttributeFormat::float2;
    const vec4 gradient = one ? vec4(0.0f, 0.0f, read.x, read.y) : read;
    const AttachmentMotion& motion = motions[i];
    const float weight = weights[static_cast<int>(i)];
    // Weights sum to 1 everywhere, so their growths cancel in any position taken from all.
    const vec3 apart = motion.position - motions[0].position;
    sum.u += weight * motion.alongU + gradient.x * apart + gradient.z * motion.velocity;
    sum.v += weight * motion.alongV + gradient.y * apart + gradient.w * motion.velocity;
    const float moved = glm::length(apart);
    const float fast = glm::length(motion.velocity);
    sum.lengthU += weight * glm::length(motion.alongU) + std::abs(gradient.x) * moved +
                   std::abs(gradient.z) * fast;
    sum.lengthV += weight * glm::length(motion.alongV) + std::abs(gradient.y) * moved +
                   std::abs(gradient.w) * fast;
  }
  return sum;
}

vec3 ExactNormals::normal(std::size_t vertex, std::span<const AttachmentMotion> motions,
                          const vec3& weights) const {
  const Tangents at = tangents(vertex, motions, weights);
  const vec3 across = motions[0].mirrors ? glm::cross(at.v, at.u) : glm::cross(at.u, at.v);
  const float squared = glm::dot(across, across);
  return squared > 1e-30f ? across / std::sqrt(squared) : vec3(0.0f);
}

bool ExactNormals::unstable(std::size_t vertex, std::span<const AttachmentMotion> motions,
                            const vec3& weights) const {
  const Tangents at = tangents(vertex, motions, weights);
  return glm::length(glm::cross(at.u, at.v)) < kUnstable * glm::length(at.u) * glm::length(at.v);
}

} // namespace sinew
