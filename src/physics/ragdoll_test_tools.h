// Shared by the ragdoll's tests: a figure, its fitted ragdoll, and a fall out of its walk.
#pragma once

#include "animation/sample.h"
#include "core/test_support.h"
#include "demo/test_support.h"
#include "physics/fit_ragdoll.h"
#include "physics/ragdoll.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace sinew::test {

inline const RagdollConfig& fitted() {
  static const RagdollConfig config = fitRagdoll(humanoid(), buildRig(humanoid()));
  return config;
}

inline Pose walkAt(double time) {
  return sample(humanoid().hierarchy, humanoid().clips[1], static_cast<float>(time));
}

inline std::size_t findBody(const RagdollConfig& config, const std::string& bone) {
  for (std::size_t i = 0; i < config.bodies.size(); ++i)
    if (config.bodies[i].bone == bone) return i;
  throw std::runtime_error("no body " + bone);
}

// A ragdoll that falls out of the walk, in a world of its own.
struct Falling {
  PhysicsWorld world;
  Ragdoll ragdoll;
  RagdollSwitch switched;

  explicit Falling(const PhysicsOptions& options = {}, const RagdollStart& start = {},
                   double time = 0.4)
      : world(options), ragdoll(world, humanoid(), fitted()) {
    const double step = world.stepSeconds();
    switched = ragdoll.start(walkAt(time - step), walkAt(time), step, start);
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i)
      world.step();
  }
};

inline float poseDifference(const Pose& a, const Pose& b) {
  const auto x = modelFromNodes(humanoid().hierarchy, a);
  const auto y = modelFromNodes(humanoid().hierarchy, b);
  float largest = 0.0f;
  for (std::size_t i = 0; i < x.size(); ++i)
    largest = std::max(largest, largestDifference(x[i], y[i]));
  return largest;
}

} // namespace sinew::test
