// Secondary motion: a chain of joints (tail, hair, ear, antenna) that lags behind its root. A point
// mass per bone is pulled by a spring to the end of the bone in the pose. The tip moves with its
// mass, the ends before it less the nearer they are to the root: the chain bends like a beam
// clamped at its root.
//
// The masses are a state. It advances in equal small steps at any frame rate; a jump in time
// (backwards, or forwards by more than kSpringJump) resets it to rest.
#pragma once

#include "animation/pose.h"

#include <cstdint>
#include <vector>

namespace sinew {

inline constexpr double kSpringJump = 0.5; // seconds

struct SpringChain {
  std::vector<std::uint32_t> chain; // root to tip, each the parent of the next
  float frequency = 2.0f;           // swings per second; in (0, 30]
  float damping = 0.25f;            // ratio; 1: no overshoot
  vec3 gravity{0.0f};               // model units per second squared
  float maxAngle = 1.4f;            // largest angle of a bone from the pose, radians
};

struct SpringState {
  bool started = false;
  mat4 modelFromBase{1.0f};             // value at the last step
  std::vector<vec3> position, velocity; // those of each bone's mass, model space
};

// Advances the state by dt seconds to the given pose and rotates the chain's joints, by `weight` in
// [0, 1]. The bone of the last joint continues the one before it; a chain of one joint has its bone
// along its own translation.
void applySpringChain(const Hierarchy& hierarchy, const SpringChain& spring, double dt,
                      float weight, SpringState& state, Pose& pose);

} // namespace sinew
