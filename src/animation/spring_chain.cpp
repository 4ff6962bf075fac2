#include "animation/spring_chain.h"

#include "animation/ik_path.h"
#include "core/polar.h"

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

void updateOne(IkPath& path, std::size_t i) {
  path.model[i] = (i == 0 ? path.modelFromBase : path.model[i - 1]) * matrixOf(path.local[i]);
}

// turnNode() of it alone: on the way from root to tip each node is brought up to date in its turn.
void turnOne(IkPath& path, std::size_t i, const quat& modelTurn) {
  const quat parent = polar(mat3(i == 0 ? path.modelFromBase : path.model[i - 1])).rotation;
  path.local[i].rotation =
      glm::normalize(glm::conjugate(parent) * modelTurn * parent * path.local[i].rotation);
  updateOne(path, i);
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

// Where the pose has the chain, in the space of its base: joints and the ends of their bones.
struct PosedChain {
  std::vector<vec3> from, to;
  std::vector<float> share; // of the chain's length that lies before each end; the last: 1
};

PosedChain posedChain(const IkPath& path, const std::vector<vec3>& ends) {
  PosedChain chain;
  const mat4 baseFromModel = glm::inverse(path.modelFromBase);
  float length = 0.0f;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const vec3 to = transformPoint(path.model[i], ends[i]);
    length += glm::length(to - path.at(i));
    chain.from.push_back(transformPoint(baseFromModel, path.at(i)));
    chain.to.push_back(transformPoint(baseFromModel, to));
    chain.share.push_back(length);
  }
  for (float& share : chain.share)
    share = length > 0.0f ? share / length : 1.0f;
  return chain;
}

// One small step: from the root to the tip, each mass is moved, kept at its bone's length, and its
// joint turned to it. Under one push masses give way as the square of their share, as a beam that
// is held at one end does. Were they drawn to where the bone before them has swung instead, a chain
// of many bones would throw itself about: what the first is late by would grow from bone to bone.
void step(IkPath& path, const SpringChain& spring, const std::vector<vec3>& ends,
          const PosedChain& posed, float h, SpringState& state) {
  const float slowest = 2.0f * std::numbers::pi_v<float> * spring.frequency;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    updateOne(path, i);
    const vec3 from = path.at(i);
    const vec3 straight = transformPoint(path.model[i], ends[i]) - from;
    const vec3 target = transformPoint(path.modelFromBase, posed.to[i]);
    const vec3 bone = target - transformPoint(path.modelFromBase, posed.from[i]);
    const float length = glm::length(straight);
    if (!(length > 0.0f && glm::length(bone) > 0.0f)) continue;
    const float omega = std::min(slowest / posed.share[i], 1.0f / h); // faster is not stable
    const vec3 before = state.position[i];
    const vec3 pull = omega * omega * (target - before) + spring.gravity;
    const vec3 velocity =
        (state.velocity[i] + h * pull) / (1.0f + 2.0f * spring.damping * omega * h);
    const vec3 moved = before + h * velocity;
    const vec3 arm = glm::length(moved - from) > 1e-6f * length ? moved - from : bone;
    state.position[i] = from + length * within(arm, bone, spring.reach);
    state.velocity[i] = (state.position[i] - before) / h;
    turnOne(path, i, turnBetween(straight, state.position[i] - from));
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
  const PosedChain chain = posedChain(posed, ends);
  IkPath path = posed;
  if (!state.started || jumped || state.position.size() != ends.size()) settle(path, ends, state);
  const int steps = static_cast<int>(std::ceil(dt / kStep - 1e-9));
  for (int i = 1; i <= steps && !jumped; ++i) {
    path = posed;
    const float at = static_cast<float>(i) / static_cast<float>(steps);
    path.modelFromBase = between(state.modelFromBase, posed.modelFromBase, at);
    step(path, spring, ends, chain, static_cast<float>(dt / steps), state);
  }
  if (steps <= 0 || jumped) { // shown as the masses are
    for (std::size_t i = 0; i < ends.size(); ++i) {
      updateOne(path, i);
      turnOne(path, i,
              turnBetween(transformPoint(path.model[i], ends[i]) - path.at(i),
                          state.position[i] - path.at(i)));
    }
  }
  state.modelFromBase = posed.modelFromBase;
  writeBack(path, std::clamp(weight, 0.0f, 1.0f), pose);
}

} // namespace sinew
