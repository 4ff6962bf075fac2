// What ragdolls cost: milliseconds a fixed step, for one and for crowds, by each joint solver.
#pragma once

#include "physics/physics_world.h"
#include "physics/ragdoll_config.h"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <vector>

namespace sinew {

struct RagdollBenchResult {
  JointSolver solver = JointSolver::bullet;
  std::size_t threads = 1;
  int ragdolls = 0;
  std::size_t bodies = 0; // sum over the ragdolls
  double msMin = 0.0;     // a step of all ragdolls
  double msMedian = 0.0;
  double msP95 = 0.0;
  double msPose = 0.0; // bones from the bodies of one ragdoll
};

// Each count by each solver, crowds by `reduced` on two threads too: all fall from their rest pose,
// a bit apart, for `seconds`, in which none comes to rest.
std::vector<RagdollBenchResult> benchRagdolls(const Model& model, const RagdollConfig& config,
                                              std::span<const int> counts, double seconds = 1.5);

std::string ragdollBenchTable(std::span<const RagdollBenchResult> results);
nlohmann::ordered_json ragdollBenchJson(std::span<const RagdollBenchResult> results);

} // namespace sinew
