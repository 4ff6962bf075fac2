#include "animation/ik.h"
#include "animation/ik_path.h"
#include "core/random.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

constexpr int kStarts = 12;          // poses to start from, the given one included
constexpr float kLargestTurn = 0.6f; // of a joint a round: the whole chain bends, not its end alone

float tipError(const IkPath& path, const vec3& target) {
  return glm::length(path.at(path.tip()) - target);
}

quat shortTurn(const quat& turn) {
  const float angle = 2.0f * std::acos(std::clamp(std::abs(turn.w), 0.0f, 1.0f));
  if (angle <= kLargestTurn) return turn;
  return slerpShortest(quat(1.0f, 0.0f, 0.0f, 0.0f), turn, kLargestTurn / angle);
}

// One round: every joint from the tip's parent up.
void descend(IkPath& path, const std::vector<std::size_t>& joints, const vec3& target) {
  for (auto joint = joints.rbegin(); joint != joints.rend(); ++joint) {
    const vec3 from = path.at(*joint);
    turnNode(path, *joint, shortTurn(turnBetween(path.at(path.tip()) - from, target - from)));
  }
}

// Until the tip is there or comes no nearer.
int descendAll(IkPath& path, const std::vector<std::size_t>& joints, const vec3& target,
               float tolerance, int rounds) {
  constexpr int kPatience = 12; // rounds without a hundredth less
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

quat anyTurn(Random& random) {
  const vec3 axis(random.uniform(-1.0f, 1.0f), random.uniform(-1.0f, 1.0f),
                  random.uniform(-1.0f, 1.0f));
  const float length = glm::length(axis);
  if (length < 1e-3f) return {1.0f, 0.0f, 0.0f, 0.0f};
  return glm::angleAxis(random.uniform(-1.5f, 1.5f), axis / length);
}

void startAnew(IkPath& path, const std::vector<std::size_t>& joints, Random& random) {
  for (const std::size_t i : joints) {
    path.local[i].rotation = glm::normalize(path.rest[i] * anyTurn(random));
    holdNode(path, i);
  }
  updateFrom(path, 0);
}

} // namespace

IkResult solveChain(const Hierarchy& hierarchy, const JointLimits& limits,
                    const std::vector<std::uint32_t>& chain, const IkTarget& target, float weight,
                    Pose& pose, const IkOptions& options) {
  if (chain.size() < 2) return {};
  IkPath path = pathOf(hierarchy, limits, pose, chain.front(), chain.back());
  std::vector<std::size_t> joints;
  for (std::size_t i = 0; i + 1 < chain.size(); ++i)
    joints.push_back(indexIn(path, chain[i]));
  for (const std::size_t i : joints)
    holdNode(path, i);
  updateFrom(path, 0);

  const float length = chainLength(hierarchy, pose, chain);
  const float tolerance = options.tolerance * length;
  const float distance = glm::length(target.position - path.at(0));
  const int starts = distance > length ? 1 : kStarts;
  Random random(1);
  IkPath best = path;
  IkResult result{std::numeric_limits<float>::infinity(), 0};
  for (int start = 0; start < starts && result.error > tolerance; ++start) {
    if (start > 0) startAnew(path, joints, random);
    result.rounds += descendAll(path, joints, target.position, tolerance, options.rounds);
    const float error = tipError(path, target.position);
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
