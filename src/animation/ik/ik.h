// Inverse kinematics: joints rotate so that a node, the tip, reaches a target.
//
// Both solvers start from the given pose and change only rotations of the chain's nodes. Nodes
// between those named move rigidly with their parents, so helper nodes and twist bones do not
// disturb them. Towards a target out of reach the chain extends as far as its lengths and limits
// allow. The result satisfies the limits (joint_limits.h) of every node that may rotate, even where
// the given pose did not.
#pragma once

#include "animation/ik/joint_limits.h"

#include <optional>
#include <vector>

namespace sinew {

struct IkTarget {
  vec3 position{0.0f};             // model space
  std::optional<quat> orientation; // the tip's, model space; none: it keeps its local rotation
};

struct IkResult {
  float error = 0.0f; // distance of the tip from the target, model space, at weight 1
  int rounds = 0;     // rounds of the solver, all starts together
};

// Upper arm, forearm, hand: nodes that are each other's descendants in this order.
struct TwoBoneChain {
  std::uint32_t root = 0, middle = 0, tip = 0;
};

// Exact, in closed form. The middle joint rotates about its hinge (its limit, else the axis it is
// bent about now, else the axis that bends it towards the pole) until the tip is as far from the
// root as the target is: with u the upper bone, v the lower one and k the axis, |u + R(k, a) v| is
// the distance where  u.R(k, a)v = (u.k)(v.k) + B cos a + C sin a,  B = u.v - (u.k)(v.k), C = u.(k
// x v). Then the root rotates the tip onto the target, and the middle joint about the line between
// them towards the pole (a point in model space; none: the middle joint stays on its side). weight
// in [0, 1] blends from the given rotations to the solution. Throws nothing; nodes that are not
// descendants of each other break the contract.
IkResult solveTwoBone(const Hierarchy& hierarchy, const JointLimits& limits,
                      const TwoBoneChain& chain, const IkTarget& target,
                      const std::optional<vec3>& pole, float weight, Pose& pose);

struct IkOptions {
  float tolerance = 1e-4f; // fraction of the chain's length
  int rounds = 200;        // at most
};

// A chain of any length: from the first node that rotates to the tip, which does not. Cyclic
// coordinate descent (Wang and Chen 1991): joint by joint, from the tip's parent upwards, rotates
// the tip towards the target and applies the joint's limit at once. If that stalls away from a
// target within reach, the solver restarts from other poses within the limits, by turns far away
// and near the best so far, always the same ones, and takes the nearest result. It misses one in
// 400 targets that random limits allow, mostly by a hundredth of the chain's length.
IkResult solveChain(const Hierarchy& hierarchy, const JointLimits& limits,
                    const std::vector<std::uint32_t>& chain, const IkTarget& target, float weight,
                    Pose& pose, const IkOptions& options = {});

// The chain of `bones` bones that ends at tip, root first; shorter where the hierarchy is.
std::vector<std::uint32_t> chainTo(const Hierarchy& hierarchy, std::uint32_t tip, int bones);

// Sum of the distances between the chain's nodes: its maximum reach.
float chainLength(const Hierarchy& hierarchy, const Pose& pose,
                  const std::vector<std::uint32_t>& chain);

} // namespace sinew
