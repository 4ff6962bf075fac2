// Fewer joints for the same motion: joints that move nothing are removed, others are merged into
// their parents, each time the one that costs the least, and weights are solved again
// (refit_weights.h).
//
// Merging joint j into q costs
//   sum over poses and vertices of area(v) w(j)^2 |M(j) v - M(q) v|^2,
// which a 4 x 4 matrix of second moments per joint gives without looking at vertices again. The
// order of removal is found once; errors are those of linear blending with the weights solved for
// what is left.
#pragma once

#include "bake/refit_weights.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

struct ReduceOptions {
  // Joints of the result; none: the fewest within the tolerance, or all where there is none.
  std::optional<std::uint32_t> joints;
  std::optional<double> tolerance; // largest error, share of the model's size
  std::vector<std::string> keep;   // names of nodes that stay
  std::uint32_t influences = 4;    // per vertex, 1 to kBakeInfluences
  bool sweep = false;              // as BakePoseOptions
  std::size_t poses = 320;         // at most, likewise
  Progress progress;
};

struct ReduceStep {
  std::uint32_t joints = 0;
  BakeError heldOut;
  double largest = 0.0; // largest error over all poses
};

struct ReducedModel {
  Model model;
  std::uint32_t joints = 0, before = 0; // numbers of joints in all skins, each node once
  std::vector<std::string> removed;     // joints, in the order of removal
  std::vector<std::string> nodes;       // nodes that left the scene graph: nothing is below them
  std::vector<ReduceStep> curve;        // by falling number of joints
  RefitErrors errors;
  std::size_t poses = 0, heldOutPoses = 0;
};

// Throws inputError for a model without a skin, usageError for a name that no node has, free
// splines, and fewer joints than there are roots and kept ones; Cancelled.
ReducedModel reduceJoints(const Model& model, const ReduceOptions& options);

} // namespace sinew
