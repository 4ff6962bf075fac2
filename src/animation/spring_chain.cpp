#include "animation/spring_chain.h"

#include "animation/ik_path.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

constexpr double kStep = 1.0 / 240.0;

// Ends of the bones in their own node's space: the next joint, or for the last joint as far again.
std::vector<vec3> boneEnds(const IkPath& path) {
  std::vector<vec3> ends;
  for (std::size_t i = 0; i + 1 < path.nodes.size(); ++i)
    ends.push_back(path.local[i + 1].translation);
  const Transform& last = path.local.back();
  ends.push_back(ends.empty() ? glm::conjugate(last.rotation) * last.translation : ends.back());
  return ends;
}

// A direction no farther than `reach` from another; both of any length, the result unit.
vec3 within(const vec3& direction, const vec3& from, float reach) {
  const vec3 a = glm::normalize(from), b = glm::normalize(direction);
  const vec3 across = glm::cross(a, b);
  const float angle = std::atan2(glm::length(across), glm::dot(a, b));
  if (angle <= reach || !(glm::length(across) > 1e-7f)) return angle <= reach ? b : a;
  return glm::angleAxis(reach, glm::normalize(across)) * a;
}

void settle(const IkPath& path, const std::vector<vec3>& ends, SpringState& state) {
  state.position.clear();
  for (std::size_t i = 0; i < ends.size(); ++i)
    state.position.push_back(transformPoint(path.model[i], ends[i]));
  state.velocity.assign(ends.size(), vec3(0.0f));
  state.modelFromBase = path.modelFromBase;
  state.started = true;
}

// One small step: from the root to the tip, each mass is moved, kept at its bone's length, and its
// joint turned to it.
void step(IkPath& path, const SpringChain& spring, const std::vector<vec3>& ends, float h,
          SpringState& state) {
  const float omega = 2.0f * std::numbers::pi_v<float> * spring.frequency;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const vec3 from = path.at(i);
    const vec3 posed = transformPoint(path.model[i], ends[i]);
    const float length = glm::length(posed - from);
    if (!(length > 0.0f)) continue;
    const vec3 before = state.position[i];
    const vec3 pull = omega * omega * (posed - before) -
                      2.0f * spring.damping * omega * state.velocity[i] + spring.gravity;
    const vec3 moved = before + h * (state.velocity[i] + h * pull);
    const vec3 arm = glm::length(moved - from) > 1e-6f * length ? moved - from : posed - from;
    state.position[i] = from + length * within(arm, posed - from, spring.reach);
    state.velocity[i] = (state.position[i] - before) / h;
    turnNode(path, i, turnBetween(posed - from, state.position[i] - from));
  }
}

mat4 between(const mat4& a, const mat4& b, float t) {
  return a + (b - a) * t;
}

} // namespace

void applySpringChain(const Hierarchy& hierarchy, const SpringChain& spring, double dt,
                      float weight, SpringState& state, Pose& pose) {
  if (spring.chain.empty()) return;
  const IkPath posed = pathOf(hierarchy, {}, pose, spring.chain.front(), spring.chain.back());
  const std::vector<vec3> ends = boneEnds(posed);
  const bool jumped = dt < 0.0 || dt > kSpringJump;
  IkPath path = posed;
  if (!state.started || jumped || state.position.size() != ends.size()) settle(path, ends, state);
  const int steps = static_cast<int>(std::ceil(dt / kStep - 1e-9));
  for (int i = 1; i <= steps && !jumped; ++i) {
    path = posed;
    const float at = static_cast<float>(i) / static_cast<float>(steps);
    path.modelFromBase = between(state.modelFromBase, posed.modelFromBase, at);
    updateFrom(path, 0);
    step(path, spring, ends, static_cast<float>(dt / steps), state);
  }
  if (steps <= 0 || jumped) { // shown as the masses are
    for (std::size_t i = 0; i < ends.size(); ++i)
      turnNode(path, i,
               turnBetween(transformPoint(path.model[i], ends[i]) - path.at(i),
                           state.position[i] - path.at(i)));
  }
  state.modelFromBase = posed.modelFromBase;
  writeBack(path, std::clamp(weight, 0.0f, 1.0f), pose);
}

} // namespace sinew
