#include "skinning/joint_motion.h"

#include "core/polar.h"
#include "skinning/bone_palette.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <cmath>

namespace sinew {
namespace {

constexpr float kScaleRounding = 1e-5f; // as polar() has it

bool flattens(const mat3& m) {
  const float size = glm::length(m[0]) * glm::length(m[1]) * glm::length(m[2]);
  return !(std::abs(glm::determinant(m)) > 1e-5f * size) || size < 1e-18f;
}

} // namespace

ScaledRotation scaledRotation(const mat3& m) {
  const float length = glm::length(m[0]);
  const float side = glm::determinant(m) < 0.0f ? -1.0f : 1.0f;
  const float scale = side * (length > 0.0f ? length : 1.0f);
  const RotationStretch parts = polar(m / scale);
  return {parts.rotation, scale, parts.stretch, stretchNoise(parts.stretch)};
}

JointMotion jointMotion(const BoneMotion& parent, const BoneMotion& joint, const vec3& center) {
  JointMotion motion;
  const mat3 linear(parent.modelFromBind);
  if (flattens(linear)) {
    motion.parent = joint;
    return motion;
  }
  motion.parent = parent;
  mat3 bindFromParent;
  if (parent.linear.noise == 0.0f && joint.linear.noise == 0.0f) {
    const quat back = glm::conjugate(parent.linear.rotation);
    bindFromParent = mat3_cast(back) / parent.linear.scale;
    motion.rotation = glm::normalize(back * joint.linear.rotation);
    const float grown = joint.linear.scale / parent.linear.scale;
    if (std::abs(grown - 1.0f) > kScaleRounding) motion.stretch = mat3(grown);
  } else {
    const glm::dmat3 inverse = glm::inverse(glm::dmat3(linear));
    bindFromParent = mat3(inverse);
    const RotationStretch parts = polar(mat3(inverse * glm::dmat3(joint.modelFromBind)));
    motion.rotation = parts.rotation;
    motion.stretch = parts.stretch;
  }
  if (motion.rotation.w < 0.0f) motion.rotation = -motion.rotation;
  motion.noise = stretchNoise(motion.stretch);

  // The difference is taken in model space, where both are near each other.
  const vec3 moved = transformPoint(joint.modelFromBind, center);
  const vec3 held = transformPoint(parent.modelFromBind, center);
  const float rounding = 2e-6f * (glm::length(moved) + glm::length(linear * center));
  if (glm::length(moved - held) > rounding) motion.shift = bindFromParent * (moved - held);
  return motion;
}

bool JointMotion::isRigidFor(float reach, float size) const {
  return isRigid(noise + parent.linear.noise, reach, size);
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
