// Secondary motion: a chain of joints (tail, hair, ear, antenna) that swings behind what its root
// is made to do, as point masses drawn to where the pose has the ends of its bones. The tip goes
// with its mass, the ends before it the less the nearer they are to the root: the chain gives way
// like a beam that is held there.
//
// The masses remember, so this movement has a state. It goes on in equal small steps whatever the
// frame rate is; a jump in time (backwards, or forwards by more than kSpringJump) starts it afresh,
// hanging as it hangs at rest.
#pragma once

#include "animation/pose.h"

#include <cstdint>
#include <vector>

namespace sinew {

inline constexpr double kSpringJump = 0.5; // seconds

struct SpringChain {
  std::vector<std::uint32_t> chain; // root to tip, each the parent of the next
  float frequency = 2.0f;           // at which it swings, a second; in (0, 30]
  float damping = 0.25f;            // ratio; 1: does not swing over
  vec3 gravity{0.0f};               // model units a second squared
  float reach = 1.4f;               // radians a bone may swing from where the pose has it
};

struct SpringState {
  bool started = false;
  mat4 modelFromBase{1.0f};             // of the last step
  std::vector<vec3> position, velocity; // of each bone's mass, model space
};

// Moves the state on by dt seconds to the pose given and turns the chain's joints, by `weight` in
// [0, 1]. The bone of the last joint goes on as the one before it does; a chain of one joint has
// its bone along its own translation.
void applySpringChain(const Hierarchy& hierarchy, const SpringChain& spring, double dt,
                      float weight, SpringState& state, Pose& pose);

} // namespace sinew
