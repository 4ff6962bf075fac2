#include "animation/drivers/rotation_part.h"

#include "animation/ik/joint_limits.h"

#include <glm/geometric.hpp>

#include <cmath>
#include <numbers>

namespace sinew {

quat extractPart(const quat& rotation, RotationPart part, const vec3& axis) {
  if (part == RotationPart::whole) return rotation;
  const BendAndTwist parts = bendAndTwist(rotation, axis);
  if (part == RotationPart::swing) return parts.bend;
  return glm::angleAxis(parts.angle, axis);
}

float angleBetween(const quat& a, const quat& b) {
  // By the smaller of sine and cosine, for the larger tells little; that is faster than atan2.
  const quat between = glm::conjugate(a) * b;
  const float sine = glm::length(vec3(between.x, between.y, between.z));
  const float cosine = std::abs(between.w);
  return sine < cosine ? 2.0f * std::asin(sine)
                       : std::numbers::pi_v<float> - 2.0f * std::asin(cosine);
}

vec3 rotationVector(const quat& rotation) {
  const float sign = rotation.w < 0.0f ? -1.0f : 1.0f;
  const vec3 v = sign * vec3(rotation.x, rotation.y, rotation.z);
  const float sine = glm::length(v);
  if (sine < 1e-7f) return 2.0f * v;
  return v * (2.0f * std::atan2(sine, std::abs(rotation.w)) / sine);
}

quat fromRotationVector(const vec3& vector) {
  const float angle = glm::length(vector);
  const float half = 0.5f * angle;
  const vec3 v = angle < 1e-6f ? 0.5f * vector : vector * (std::sin(half) / angle);
  return glm::normalize(quat(std::cos(half), v.x, v.y, v.z));
}

} // namespace sinew
