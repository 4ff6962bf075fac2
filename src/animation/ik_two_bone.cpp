#include "animation/ik.h"
#include "animation/ik_path.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace sinew {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;

struct Bones {
  std::size_t root = 0, middle = 0, tip = 0; // in the path
};

// Some axis the middle joint may bend about, model space: its hinge, else at right angles to both
// bones, else what bends it towards the pole.
vec3 bendAxis(const IkPath& path, const Bones& bones, const std::optional<vec3>& pole) {
  const std::size_t m = bones.middle;
  if (path.limit[m] != nullptr)
    if (const auto* hinge = std::get_if<HingeLimit>(path.limit[m]))
      return glm::normalize(orientationOf(path, m) * hinge->axis);
  const vec3 upper = path.at(m) - path.at(bones.root);
  const vec3 lower = path.at(bones.tip) - path.at(m);
  const float straight = 1e-4f * glm::length(upper) * glm::length(lower);
  const vec3 bent = glm::cross(upper, lower);
  if (glm::length(bent) > straight) return glm::normalize(bent);
  if (pole) {
    // The middle moves towards the pole when the lower bone turns away from it.
    const vec3 side = *pole - path.at(m);
    const vec3 towards = glm::cross(side, upper);
    if (glm::length(towards) > 1e-4f * glm::length(side) * glm::length(upper))
      return glm::normalize(towards);
  }
  const float length = glm::length(upper);
  return length > 0.0f ? vec3(perpendicular(glm::dvec3(upper / length))) : vec3(0, 0, 1);
}

// The angle in [low, high] (turns from now) at which the tip is `distance` from the root, or comes
// nearest to that.
float bendAngle(const vec3& upper, const vec3& lower, const vec3& axis, float distance, float low,
                float high) {
  const float along = glm::dot(upper, axis) * glm::dot(lower, axis);
  const float cosine = glm::dot(upper, lower) - along;
  const float sine = glm::dot(upper, glm::cross(axis, lower));
  const float fixed = glm::dot(upper, upper) + glm::dot(lower, lower) + 2.0f * along;
  const float most = std::hypot(cosine, sine);
  if (!(most > 0.0f)) return 0.0f;
  const float half =
      std::acos(std::clamp((distance * distance - fixed) / (2.0f * most), -1.0f, 1.0f));
  const float middle = std::atan2(sine, cosine);
  const auto miss = [&](float angle) {
    const float square = fixed + 2.0f * (cosine * std::cos(angle) + sine * std::sin(angle));
    return std::abs(std::sqrt(std::max(square, 0.0f)) - distance);
  };
  float best = 0.0f, bestMiss = -1.0f;
  for (const float sign : {1.0f, -1.0f}) {
    const float wanted = std::remainder(middle + sign * half, 2.0f * kPi);
    // The same angle may lie in the range a whole turn on.
    for (const float turn : {0.0f, 2.0f * kPi, -2.0f * kPi}) {
      const float angle = std::clamp(wanted + turn, low, high);
      const float off = miss(angle);
      const bool nearer = off < bestMiss - 1e-6f * distance ||
                          (off < bestMiss + 1e-6f * distance && std::abs(angle) < std::abs(best));
      if (bestMiss < 0.0f || nearer) best = angle, bestMiss = off;
    }
  }
  return best;
}

void bendMiddle(IkPath& path, const Bones& bones, const vec3& target,
                const std::optional<vec3>& pole) {
  const vec3 upper = path.at(bones.middle) - path.at(bones.root);
  const vec3 lower = path.at(bones.tip) - path.at(bones.middle);
  const vec3 axis = bendAxis(path, bones, pole);
  float low = -kPi, high = kPi;
  if (const JointLimit* limit = path.limit[bones.middle])
    if (const auto* hinge = std::get_if<HingeLimit>(limit)) {
      const quat turn = glm::conjugate(path.rest[bones.middle]) * path.local[bones.middle].rotation;
      const float now = bendAndTwist(turn, hinge->axis).angle;
      low = hinge->back - now;
      high = hinge->front - now;
    }
  const float distance = glm::length(target - path.at(bones.root));
  turnNode(path, bones.middle,
           glm::angleAxis(bendAngle(upper, lower, axis, distance, low, high), axis));
}

void aimRoot(IkPath& path, const Bones& bones, const vec3& target,
             const std::optional<vec3>& pole) {
  const vec3 from = path.at(bones.root);
  turnNode(path, bones.root, turnBetween(path.at(bones.tip) - from, target - from));
  const vec3 line = path.at(bones.tip) - from;
  if (!pole || !(glm::length(line) > 0.0f)) return;
  const vec3 axis = glm::normalize(line);
  const auto sideways = [&](const vec3& p) { return p - from - glm::dot(p - from, axis) * axis; };
  const vec3 now = sideways(path.at(bones.middle));
  const vec3 wanted = sideways(*pole);
  const float small = 1e-5f * glm::length(line);
  if (glm::length(now) < small || glm::length(wanted) < small) return; // straight, or pole on line
  const float angle = std::atan2(glm::dot(axis, glm::cross(now, wanted)), glm::dot(now, wanted));
  turnNode(path, bones.root, glm::angleAxis(angle, axis));
}

} // namespace

IkResult solveTwoBone(const Hierarchy& hierarchy, const JointLimits& limits,
                      const TwoBoneChain& chain, const IkTarget& target,
                      const std::optional<vec3>& pole, float weight, Pose& pose) {
  IkPath path = pathOf(hierarchy, limits, pose, chain.root, chain.tip);
  const Bones bones{0, indexIn(path, chain.middle), path.tip()};
  for (const std::size_t i : {bones.root, bones.middle, bones.tip})
    holdNode(path, i);
  updateFrom(path, 0);
  const float size = glm::length(path.at(bones.middle) - path.at(bones.root)) +
                     glm::length(path.at(bones.tip) - path.at(bones.middle));
  IkResult result;
  // Once is exact; a stretching parent bends the turns, and a cut root asks for another middle.
  constexpr int kRounds = 8;
  while (result.rounds < kRounds) {
    bendMiddle(path, bones, target.position, pole);
    aimRoot(path, bones, target.position, pole);
    ++result.rounds;
    const float before =
        std::exchange(result.error, glm::length(path.at(bones.tip) - target.position));
    if (result.error < 1e-6f * size) break;
    if (result.rounds > 1 && result.error > 0.999f * before) break;
  }
  if (target.orientation) orient(path, bones.tip, *target.orientation);
  writeBack(path, weight, pose);
  return result;
}

} // namespace sinew
