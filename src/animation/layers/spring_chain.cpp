#include "animation/layers/spring_chain.h"

#include "animation/ik/ik_path.h"
#include "core/polar.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

constexpr double kSpringStep = 1.0 / 240.0;

// Ends of the bones in their own node's space: the next joint; the last bone repeats the one
// before.
std::vector<vec3> boneEnds(const IkPath& path) {
  std::vector<vec3> ends;
  for (std::size_t i = 0; i + 1 < path.nodes.size(); ++i)
    ends.push_back(path.local[i + 1].translation);
  const Transform& last = path.local.back();
  ends.push_back(ends.empty() ? glm::conjugate(last.rotation) * last.translation : ends.back());
  return ends;
}

void updateOne(IkPath& path, std::size_t i) {
  path.model[i] = (i == 0 ? path.modelFromBase : path.model[i - 1]) * toMatrix(path.local[i]);
}

// rotateNode() without updating descendants: rotateTo() updates each node from root to tip.
void rotateOne(IkPath& path, std::size_t i, const quat& modelRotation) {
  const quat parent = polar(mat3(i == 0 ? path.modelFromBase : path.model[i - 1])).rotation;
  path.local[i].rotation =
      glm::normalize(glm::conjugate(parent) * modelRotation * parent * path.local[i].rotation);
  updateOne(path, i);
}

// `direction` clamped to `maxAngle` from another; both of any length, the result unit.
vec3 within(const vec3& direction, const vec3& from, float maxAngle) {
  const vec3 a = glm::normalize(from), b = glm::normalize(direction);
  const vec3 across = glm::cross(a, b);
  const float angle = std::atan2(glm::length(across), glm::dot(a, b));
  if (angle <= maxAngle || !(glm::length(across) > 1e-7f)) return angle <= maxAngle ? b : a;
  return glm::angleAxis(maxAngle, glm::normalize(across)) * a;
}

// The chain in the pose, in the space of its base: joints and the ends of their bones.
struct PosedChain {
  std::vector<vec3> from, to;
  std::vector<float> fraction; // share of the chain's length up to each end; the last: 1
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
    chain.fraction.push_back(length);
  }
  for (float& fraction : chain.fraction)
    fraction = length > 0.0f ? fraction / length : 1.0f;
  return chain;
}

void settle(const PosedChain& posed, const mat4& modelFromBase, SpringState& state) {
  state.position.clear();
  for (const vec3& to : posed.to)
    state.position.push_back(transformPoint(modelFromBase, to));
  state.velocity.assign(posed.to.size(), vec3(0.0f));
  state.modelFromBase = modelFromBase;
  state.started = true;
}

// One small step of the masses. They ignore the constraints of the chain: the system is linear, and
// its start conditions fade away.
void step(const SpringChain& spring, const PosedChain& posed, const mat4& modelFromBase, float h,
          SpringState& state) {
  const float omega = 2.0f * std::numbers::pi_v<float> * spring.frequency;
  for (std::size_t i = 0; i < posed.to.size(); ++i) {
    const vec3 target = transformPoint(modelFromBase, posed.to[i]);
    const vec3 pull = omega * omega * (target - state.position[i]) + spring.gravity;
    state.velocity[i] = (state.velocity[i] + h * pull) / (1.0f + 2.0f * spring.damping * omega * h);
    state.position[i] += h * state.velocity[i];
  }
}

// Rotates the joints towards the masses, from root to tip. Each end follows its mass by the square
// of its fraction of the length, like a beam clamped at one end. If each followed the swung end of
// the bone before it, the lag would add up from bone to bone and long chains would become unstable.
void rotateTo(const SpringState& state, const PosedChain& posed, const std::vector<vec3>& ends,
              float maxAngle, IkPath& path) {
  for (std::size_t i = 0; i < ends.size(); ++i) {
    updateOne(path, i);
    const vec3 from = path.at(i);
    const vec3 straight = transformPoint(path.model[i], ends[i]) - from;
    const vec3 target = transformPoint(path.modelFromBase, posed.to[i]);
    const vec3 bone = target - transformPoint(path.modelFromBase, posed.from[i]);
    const float length = glm::length(bone);
    if (!(glm::length(straight) > 0.0f && length > 0.0f)) continue;
    const vec3 to = target + posed.fraction[i] * posed.fraction[i] * (state.position[i] - target);
    const vec3 arm = glm::length(to - from) > 1e-6f * length ? to - from : bone;
    rotateOne(path, i, rotationBetween(straight, within(arm, bone, maxAngle)));
  }
}

mat4 between(const mat4& a, const mat4& b, float t) {
  return a + (b - a) * t;
}

} // namespace

void applySpringChain(const Hierarchy& hierarchy, const SpringChain& spring, double dt,
                      float weight, SpringState& state, Pose& pose) {
  if (spring.chain.empty()) return;
  const IkPath posed = makePath(hierarchy, {}, pose, spring.chain.front(), spring.chain.back());
  const std::vector<vec3> ends = boneEnds(posed);
  const bool jumped = dt < 0.0 || dt > kSpringJump;
  const PosedChain chain = posedChain(posed, ends);
  if (!state.started || jumped || state.position.size() != ends.size())
    settle(chain, posed.modelFromBase, state);
  const int steps = jumped ? 0 : static_cast<int>(std::ceil(dt / kSpringStep - 1e-9));
  for (int i = 1; i <= steps; ++i) {
    const float at = static_cast<float>(i) / static_cast<float>(steps);
    step(spring, chain, between(state.modelFromBase, posed.modelFromBase, at),
         static_cast<float>(dt / steps), state);
  }
  IkPath path = posed;
  rotateTo(state, chain, ends, spring.maxAngle, path);
  state.modelFromBase = posed.modelFromBase;
  writeBack(path, std::clamp(weight, 0.0f, 1.0f), pose);
}

} // namespace sinew
