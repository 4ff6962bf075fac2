#include "animation/ik/joint_limits.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

constexpr float kFullAngle = 2.0f * std::numbers::pi_v<float>;
// Rounding of a rotation that was clamped before: clamping it again would make it drift.
constexpr float kRounding = 2e-6f;

vec3 getVector(const quat& q) {
  return {q.x, q.y, q.z};
}

// In [0, pi]; exact for small angles, where the cosine alone is not.
float measureAngle(const quat& q) {
  return 2.0f * std::atan2(glm::length(getVector(q)), std::abs(q.w));
}

// The angle in [low, high] that is nearest on the circle.
float nearestAngle(float angle, float low, float high) {
  if (angle >= low && angle <= high) return angle;
  const auto apart = [&](float limit) {
    return std::abs(std::remainder(angle - limit, kFullAngle));
  };
  return apart(low) < apart(high) ? low : high;
}

// The same bend by a smaller angle.
quat shortened(const quat& bend, float angle) {
  const quat q = bend.w < 0.0f ? -bend : bend;
  return glm::angleAxis(angle, glm::normalize(getVector(q)));
}

} // namespace

BendAndTwist bendAndTwist(const quat& rotation, const vec3& direction) {
  const float along = glm::dot(getVector(rotation), direction);
  // Bent by 180 degrees, the twist is undefined: none is assumed.
  if (std::hypot(along, rotation.w) < 1e-7f) return {rotation, 0.0f};
  const float angle = std::remainder(2.0f * std::atan2(along, rotation.w), kFullAngle);
  return {glm::normalize(rotation * glm::angleAxis(-angle, direction)), angle};
}

quat limitedRotation(const quat& rotation, const JointLimit& limit) {
  if (limitExcess(rotation, limit) <= kRounding) return rotation;
  if (const auto* hinge = std::get_if<HingeLimit>(&limit)) {
    const float angle = bendAndTwist(rotation, hinge->axis).angle;
    return glm::angleAxis(nearestAngle(angle, hinge->back, hinge->front), hinge->axis);
  }
  const auto& joint = std::get<UniversalLimit>(limit);
  const BendAndTwist parts = bendAndTwist(rotation, joint.direction);
  const quat bend =
      measureAngle(parts.bend) > joint.bend ? shortened(parts.bend, joint.bend) : parts.bend;
  const float angle = std::clamp(parts.angle, -joint.rotation, joint.rotation);
  return glm::normalize(bend * glm::angleAxis(angle, joint.direction));
}

float limitExcess(const quat& rotation, const JointLimit& limit) {
  if (const auto* hinge = std::get_if<HingeLimit>(&limit)) {
    const BendAndTwist parts = bendAndTwist(rotation, hinge->axis);
    const float allowed = nearestAngle(parts.angle, hinge->back, hinge->front);
    const float over = std::abs(std::remainder(parts.angle - allowed, kFullAngle));
    return std::max(measureAngle(parts.bend), over);
  }
  if (const auto* joint = std::get_if<UniversalLimit>(&limit)) {
    const BendAndTwist parts = bendAndTwist(rotation, joint->direction);
    return std::max(
        {measureAngle(parts.bend) - joint->bend, std::abs(parts.angle) - joint->rotation, 0.0f});
  }
  return 0.0f;
}

} // namespace sinew
