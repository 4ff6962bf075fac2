#include "demo/humanoid_pose.h"

#include "demo/humanoid_skeleton.h"

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

#include <algorithm>
#include <cmath>

namespace sinew::humanoid {
namespace {

const vec3 kHeel(0.100f, 0.0f, -0.078f); // where it touches the ground, bind pose

// Axes of a leg: down the leg, and forward as far as it is at right angles to that.
mat3 legFrame(const vec3& down, const vec3& forward) {
  const vec3 side = glm::normalize(glm::cross(down, forward));
  return {side, down, glm::cross(side, down)};
}

vec3 mirroredIf(bool right, const vec3& v) {
  return right ? vec3(-v.x, v.y, v.z) : v;
}

} // namespace

void placeFoot(std::span<Transform> local, Side side, const Footing& footing) {
  const bool right = side == Side::right;
  const std::size_t shift = right ? kLeftCount : 0;
  const auto at = [&](Joint joint) { return joints()[joint + shift].position; };

  // The foot: turned out below the ankle, pitched about heel or toes, moved.
  const float out = right ? -footing.toeOut : footing.toeOut;
  const quat foot = rotationAbout(kY, out) * rotationAbout(kX, -footing.pitch);
  const vec3 toPivot = (footing.pitch >= 0.0f ? mirroredIf(right, kHeel) : at(kToes)) - at(kFoot);
  const vec3 ankle = at(kFoot) + rotationAbout(kY, out) * toPivot - foot * toPivot +
                     mirroredIf(right, footing.offset);

  // The knee turns about the X axis, so by the law of cosines in the plane across it.
  const Transform& hips = local[kHips];
  const vec3 hip = hips.translation + hips.rotation * (at(kUpperLeg) - joints()[kHips].position);
  const vec3 thigh = at(kLowerLeg) - at(kUpperLeg);
  const vec3 shin = at(kFoot) - at(kLowerLeg);
  const float aside = thigh.x + shin.x;
  const float a = glm::length(vec2(thigh.y, thigh.z));
  const float b = glm::length(vec2(shin.y, shin.z));
  const vec3 wantedLeg = ankle - hip;
  const float reach = std::sqrt(std::max(glm::dot(wantedLeg, wantedLeg) - aside * aside, 0.0f));
  const auto kneeAngle = [&](float distance) {
    return std::acos(
        std::clamp((a * a + b * b - distance * distance) / (2.0f * a * b), -1.0f, 1.0f));
  };
  const vec3 straight = thigh + shin;
  const float bend = kneeAngle(glm::length(vec2(straight.y, straight.z))) - kneeAngle(reach);
  const quat knee = glm::angleAxis(bend, kX);

  // The bent leg, turned to point at the ankle with the knee forward.
  const vec3 forward = rotationAbout(kY, 0.5f * out) * vec3(0, 0, 1);
  const mat3 bent = legFrame(glm::normalize(thigh + knee * shin), vec3(0, 0, 1));
  const mat3 wanted = legFrame(glm::normalize(wantedLeg), forward);
  const quat upper = glm::normalize(glm::quat_cast(wanted * glm::transpose(bent)));
  local[kUpperLeg + shift].rotation = glm::inverse(hips.rotation) * upper;
  local[kLowerLeg + shift].rotation = knee;
  local[kFoot + shift].rotation = glm::inverse(upper * knee) * foot;
  local[kToes + shift].rotation = rotationAbout(kX, -footing.toeBend);
}

} // namespace sinew::humanoid
