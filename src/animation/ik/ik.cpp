#include "animation/ik/ik.h"

#include "animation/ik/ik_path.h"
#include "core/directions.h"
#include "core/random.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace sinew {
namespace {

struct Bones {
  std::size_t root = 0, middle = 0, tip = 0; // in the path
};

// The axis the middle joint bends about, model space: its hinge, else the normal of both bones,
// else the axis that bends it towards the pole.
vec3 bendAxis(const IkPath& path, const Bones& bones, const std::optional<vec3>& pole) {
  const std::size_t m = bones.middle;
  if (path.limit[m] != nullptr)
    if (const auto* hinge = std::get_if<HingeLimit>(path.limit[m]))
      return glm::normalize(computeOrientation(path, m) * hinge->axis);
  const vec3 upper = path.at(m) - path.at(bones.root);
  const vec3 lower = path.at(bones.tip) - path.at(m);
  const float straight = 1e-4f * glm::length(upper) * glm::length(lower);
  const vec3 bent = glm::cross(upper, lower);
  if (glm::length(bent) > straight) return glm::normalize(bent);
  if (pole) {
    // The middle joint moves towards the pole when the lower bone rotates away from it.
    const vec3 side = *pole - path.at(m);
    const vec3 towards = glm::cross(side, upper);
    if (glm::length(towards) > 1e-4f * glm::length(side) * glm::length(upper))
      return glm::normalize(towards);
  }
  const float length = glm::length(upper);
  return length > 0.0f ? vec3(perpendicular(glm::dvec3(upper / length))) : vec3(0, 0, 1);
}

// The angle in [low, high], relative to the current one, at which the tip is `distance` from the
// root or nearest to it.
float bendAngle(const vec3& upper, const vec3& lower, const vec3& axis, float distance, float low,
                float high) {
  const float along = glm::dot(upper, axis) * glm::dot(lower, axis);
  const float cosine = glm::dot(upper, lower) - along;
  const float sine = glm::dot(upper, glm::cross(axis, lower));
  const float fixed = glm::dot(upper, upper) + glm::dot(lower, lower) + 2.0f * along;
  const float amplitude = std::hypot(cosine, sine);
  if (!(amplitude > 0.0f)) return 0.0f;
  const float half =
      std::acos(std::clamp((distance * distance - fixed) / (2.0f * amplitude), -1.0f, 1.0f));
  const float middle = std::atan2(sine, cosine);
  const auto miss = [&](float angle) {
    const float square = fixed + 2.0f * (cosine * std::cos(angle) + sine * std::sin(angle));
    return std::abs(std::sqrt(std::max(square, 0.0f)) - distance);
  };
  float best = 0.0f, bestMiss = -1.0f;
  for (const float sign : {1.0f, -1.0f}) {
    const float wanted = std::remainder(middle + sign * half, 2.0f * std::numbers::pi_v<float>);
    // The same angle may lie in the range one revolution later.
    for (const float revolution :
         {0.0f, 2.0f * std::numbers::pi_v<float>, -2.0f * std::numbers::pi_v<float>}) {
      const float angle = std::clamp(wanted + revolution, low, high);
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
  float low = -std::numbers::pi_v<float>, high = std::numbers::pi_v<float>;
  if (const JointLimit* limit = path.limit[bones.middle])
    if (const auto* hinge = std::get_if<HingeLimit>(limit)) {
      const quat fromRest =
          glm::conjugate(path.rest[bones.middle]) * path.local[bones.middle].rotation;
      const float now = bendAndTwist(fromRest, hinge->axis).angle;
      low = hinge->back - now;
      high = hinge->front - now;
    }
  const float distance = glm::length(target - path.at(bones.root));
  rotateNode(path, bones.middle,
             glm::angleAxis(bendAngle(upper, lower, axis, distance, low, high), axis));
}

void aimRoot(IkPath& path, const Bones& bones, const vec3& target,
             const std::optional<vec3>& pole) {
  const vec3 from = path.at(bones.root);
  rotateNode(path, bones.root, rotationBetween(path.at(bones.tip) - from, target - from));
  const vec3 line = path.at(bones.tip) - from;
  if (!pole || !(glm::length(line) > 0.0f)) return;
  const vec3 axis = glm::normalize(line);
  const auto sideways = [&](const vec3& p) { return p - from - glm::dot(p - from, axis) * axis; };
  const vec3 now = sideways(path.at(bones.middle));
  const vec3 wanted = sideways(*pole);
  const float small = 1e-5f * glm::length(line);
  if (glm::length(now) < small || glm::length(wanted) < small) return; // straight, or pole on line
  const float angle = std::atan2(glm::dot(axis, glm::cross(now, wanted)), glm::dot(now, wanted));
  rotateNode(path, bones.root, glm::angleAxis(angle, axis));
}

// Cyclic coordinate descent.

constexpr int kStarts = 48;          // start poses at most, the given one included
constexpr int kIdleStarts = 8;       // starts in a row without gain: the target is out of reach
constexpr float kMaxRotation = 0.6f; // radians per joint and round, so that the whole chain bends

float tipError(const IkPath& path, const vec3& target) {
  return glm::length(path.at(path.tip()) - target);
}

quat cappedRotation(const quat& rotation) {
  const float angle = 2.0f * std::acos(std::clamp(std::abs(rotation.w), 0.0f, 1.0f));
  if (angle <= kMaxRotation) return rotation;
  return slerpShortest(quat(1.0f, 0.0f, 0.0f, 0.0f), rotation, kMaxRotation / angle);
}

// One round: every joint from the tip's parent up.
void descend(IkPath& path, const std::vector<std::size_t>& joints, const vec3& target) {
  for (auto joint = joints.rbegin(); joint != joints.rend(); ++joint) {
    const vec3 from = path.at(*joint);
    rotateNode(path, *joint,
               cappedRotation(rotationBetween(path.at(path.tip()) - from, target - from)));
  }
}

// Until the tip reaches the target or stops approaching it.
int descendAll(IkPath& path, const std::vector<std::size_t>& joints, const vec3& target,
               float tolerance, int rounds) {
  constexpr int kPatience = 12; // rounds in which the error falls by less than 1 %
  float marked = tipError(path, target);
  int since = 0, done = 0;
  while (done < rounds && tipError(path, target) > tolerance && since < kPatience) {
    descend(path, joints, target);
    ++done;
    ++since;
    const float error = tipError(path, target);
    if (error < 0.99f * marked) marked = error, since = 0;
  }
  return done;
}

quat restartRotation(Random& random) {
  // In braces, which say in what order: the same for every compiler.
  const vec3 axis{random.uniform(-1.0f, 1.0f), random.uniform(-1.0f, 1.0f),
                  random.uniform(-1.0f, 1.0f)};
  const float length = glm::length(axis);
  if (length < 1e-3f) return {1.0f, 0.0f, 0.0f, 0.0f};
  return glm::angleAxis(random.uniform(-1.5f, 1.5f), axis / length);
}

// Another start pose: far from any, or near the best so far, from which limits kept the tip away.
void restart(IkPath& path, const IkPath* best, const std::vector<std::size_t>& joints,
             Random& random) {
  for (const std::size_t i : joints) {
    const quat rotation = restartRotation(random);
    const quat from = best != nullptr ? best->local[i].rotation : path.rest[i];
    const float part = best != nullptr ? random.uniform(0.0f, 1.0f) : 1.0f;
    path.local[i].rotation =
        glm::normalize(from * slerpShortest(quat(1.0f, 0.0f, 0.0f, 0.0f), rotation, part));
    limitNode(path, i);
  }
  updateFrom(path, 0);
}

} // namespace

IkResult solveTwoBone(const Hierarchy& hierarchy, const JointLimits& limits,
                      const TwoBoneChain& chain, const IkTarget& target,
                      const std::optional<vec3>& pole, float weight, Pose& pose) {
  IkPath path = makePath(hierarchy, limits, pose, chain.root, chain.tip);
  const Bones bones{0, indexIn(path, chain.middle), path.tip()};
  for (const std::size_t i : {bones.root, bones.middle, bones.tip})
    limitNode(path, i);
  updateFrom(path, 0);
  const float size = glm::length(path.at(bones.middle) - path.at(bones.root)) +
                     glm::length(path.at(bones.tip) - path.at(bones.middle));
  IkResult result;
  // One round is exact. A stretched parent distorts the rotations, and a root at its limit needs
  // another angle of the middle joint.
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

IkResult solveChain(const Hierarchy& hierarchy, const JointLimits& limits,
                    const std::vector<std::uint32_t>& chain, const IkTarget& target, float weight,
                    Pose& pose, const IkOptions& options) {
  if (chain.size() < 2) return {};
  IkPath path = makePath(hierarchy, limits, pose, chain.front(), chain.back());
  std::vector<std::size_t> joints;
  for (std::size_t i = 0; i + 1 < chain.size(); ++i)
    joints.push_back(indexIn(path, chain[i]));
  for (const std::size_t i : joints)
    limitNode(path, i);
  updateFrom(path, 0);

  const float length = chainLength(hierarchy, pose, chain);
  const float tolerance = options.tolerance * length;
  const float distance = glm::length(target.position - path.at(0));
  const int starts = distance > length ? 1 : kStarts;
  Random random(1);
  IkPath best = path;
  IkResult result{std::numeric_limits<float>::infinity(), 0};
  int idle = 0;
  for (int start = 0; start < starts && idle < kIdleStarts && result.error > tolerance; ++start) {
    if (start > 0) restart(path, start % 2 == 0 ? &best : nullptr, joints, random);
    result.rounds += descendAll(path, joints, target.position, tolerance, options.rounds);
    const float error = tipError(path, target.position);
    idle = error < 0.99f * result.error ? 0 : idle + 1;
    if (error < result.error) best = path, result.error = error;
  }
  if (target.orientation) orient(best, best.tip(), *target.orientation);
  writeBack(best, weight, pose);
  return result;
}

std::vector<std::uint32_t> chainTo(const Hierarchy& hierarchy, std::uint32_t tip, int bones) {
  std::vector<std::uint32_t> chain{tip};
  for (std::uint32_t node = hierarchy.nodes[tip].parent;
       node != kNoNode && static_cast<int>(chain.size()) <= bones;
       node = hierarchy.nodes[node].parent)
    chain.push_back(node);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

float chainLength(const Hierarchy& hierarchy, const Pose& pose,
                  const std::vector<std::uint32_t>& chain) {
  const std::vector<mat4> model = modelFromNodes(hierarchy, pose);
  float length = 0.0f;
  for (std::size_t i = 1; i < chain.size(); ++i)
    length += glm::length(vec3(model[chain[i]][3]) - vec3(model[chain[i - 1]][3]));
  return length;
}

} // namespace sinew
