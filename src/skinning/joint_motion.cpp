#include "skinning/joint_motion.h"

#include "core/polar.h"
#include "skinning/bone_palette.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <cmath>

namespace sinew {
namespace {

bool flattens(const mat3& m) {
  const float size = glm::length(m[0]) * glm::length(m[1]) * glm::length(m[2]);
  return !(std::abs(glm::determinant(m)) > 1e-5f * size) || size < 1e-18f;
}

} // namespace

JointMotion jointMotion(const mat4& parentFromBind, const mat4& jointFromBind, const vec3& center) {
  JointMotion motion;
  if (flattens(mat3(parentFromBind))) {
    motion.modelFromBind = jointFromBind;
    motion.even = scalesUniformly(mat3(jointFromBind));
    return motion;
  }
  motion.modelFromBind = parentFromBind;
  const glm::dmat3 bindFromParent = glm::inverse(glm::dmat3(parentFromBind));
  const RotationStretch parts = polar(mat3(bindFromParent * glm::dmat3(jointFromBind)));
  motion.rotation = parts.rotation.w < 0.0f ? -parts.rotation : parts.rotation;
  motion.stretch = parts.stretch;
  motion.noise = stretchNoise(parts.stretch);
  motion.even = scalesUniformly(mat3(parentFromBind));

  // The difference is taken in model space, where both are near each other.
  const vec3 moved = transformPoint(jointFromBind, center);
  const vec3 held = transformPoint(parentFromBind, center);
  const float rounding = 2e-6f * (glm::length(moved) + glm::length(mat3(parentFromBind) * center));
  if (glm::length(moved - held) > rounding) motion.shift = mat3(bindFromParent) * (moved - held);
  return motion;
}

bool JointMotion::isRigidFor(float reach, float size) const {
  return even && isRigid(noise, reach, glm::length(shift), size);
}

AxisAngle axisAngle(const quat& rotation, const vec3& along) {
  const vec3 v(rotation.x, rotation.y, rotation.z);
  const float sine = glm::length(v);
  if (sine < 1e-12f) return {};
  AxisAngle out{v / sine, 2.0f * std::atan2(sine, rotation.w)};
  if (rotation.w > 1e-6f) return out;
  // 180 degrees, up to rounding.
  float side = glm::dot(out.axis, along);
  for (int i = 0; i < 3 && std::abs(side) < 1e-4f; ++i)
    side = out.axis[i];
  if (side < 0.0f) out.axis = -out.axis;
  return out;
}

} // namespace sinew
