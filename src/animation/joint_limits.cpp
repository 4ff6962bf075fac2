#include "animation/joint_limits.h"

#include "animation/pose_edit.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;
// Rounding of a turn that was cut before: to cut it again would only move it about.
constexpr float kRounding = 2e-6f;

vec3 vectorOf(const quat& q) {
  return {q.x, q.y, q.z};
}

// In [0, pi]; exact for small turns, where the cosine alone is not.
float angleOf(const quat& q) {
  return 2.0f * std::atan2(glm::length(vectorOf(q)), std::abs(q.w));
}

// The angle in [low, high] that is nearest on the circle.
float nearestAngle(float angle, float low, float high) {
  if (angle >= low && angle <= high) return angle;
  const auto apart = [&](float limit) {
    return std::abs(std::remainder(angle - limit, 2.0f * kPi));
  };
  return apart(low) < apart(high) ? low : high;
}

// The same bend by a smaller angle.
quat shortened(const quat& bend, float angle) {
  const quat q = bend.w < 0.0f ? -bend : bend;
  return glm::angleAxis(angle, glm::normalize(vectorOf(q)));
}

} // namespace

BendAndTwist bendAndTwist(const quat& turn, const vec3& direction) {
  const float along = glm::dot(vectorOf(turn), direction);
  // Turned right over there is no telling how far about the direction: not at all, then.
  if (std::hypot(along, turn.w) < 1e-7f) return {turn, 0.0f};
  const float angle = std::remainder(2.0f * std::atan2(along, turn.w), 2.0f * kPi);
  return {glm::normalize(turn * glm::angleAxis(-angle, direction)), angle};
}

quat limitedTurn(const quat& turn, const JointLimit& limit) {
  if (limitExcess(turn, limit) <= kRounding) return turn;
  if (const auto* hinge = std::get_if<HingeLimit>(&limit)) {
    const float angle = bendAndTwist(turn, hinge->axis).angle;
    return glm::angleAxis(nearestAngle(angle, hinge->back, hinge->front), hinge->axis);
  }
  const auto& joint = std::get<UniversalLimit>(limit);
  const BendAndTwist parts = bendAndTwist(turn, joint.direction);
  const quat bend =
      angleOf(parts.bend) > joint.bend ? shortened(parts.bend, joint.bend) : parts.bend;
  const float angle = std::clamp(parts.angle, -joint.rotation, joint.rotation);
  return glm::normalize(bend * glm::angleAxis(angle, joint.direction));
}

float limitExcess(const quat& turn, const JointLimit& limit) {
  if (const auto* hinge = std::get_if<HingeLimit>(&limit)) {
    const BendAndTwist parts = bendAndTwist(turn, hinge->axis);
    const float allowed = nearestAngle(parts.angle, hinge->back, hinge->front);
    const float over = std::abs(std::remainder(parts.angle - allowed, 2.0f * kPi));
    return std::max(angleOf(parts.bend), over);
  }
  if (const auto* joint = std::get_if<UniversalLimit>(&limit)) {
    const BendAndTwist parts = bendAndTwist(turn, joint->direction);
    return std::max(
        {angleOf(parts.bend) - joint->bend, std::abs(parts.angle) - joint->rotation, 0.0f});
  }
  return 0.0f;
}

void holdLimit(const Hierarchy& hierarchy, const JointLimits& limits, std::uint32_t node,
               Pose& pose) {
  if (node >= limits.size() || std::holds_alternative<std::monostate>(limits[node])) return;
  const quat turn = turnFromRest(hierarchy, pose, node);
  const quat held = limitedTurn(turn, limits[node]);
  if (held != turn) setTurnFromRest(hierarchy, pose, node, held);
}

} // namespace sinew
