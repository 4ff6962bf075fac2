// Inverse kinematics: joints turned so that a node comes to a target.
//
// Both solvers start from the pose they are given and change rotations only, of the chain's nodes
// only. Nodes between those named ride along, so helper nodes and twist bones do no harm. A target
// out of reach is reached for: the chain stretches towards it as far as its lengths and limits let
// it. The result holds the limits (joint_limits.h) of every node that may turn, also where the pose
// given did not.
#pragma once

#include "animation/joint_limits.h"

#include <optional>
#include <vector>

namespace sinew {

struct IkTarget {
  vec3 position{0.0f};             // model space
  std::optional<quat> orientation; // of the tip, model space; none: the tip keeps its own turn
};

struct IkResult {
  float error = 0.0f; // distance of the tip from the target, model space, at weight 1
  int rounds = 0;     // of the solver
};

// Upper arm, forearm, hand: nodes that are each other's descendants in this order.
struct TwoBoneChain {
  std::uint32_t root = 0, middle = 0, tip = 0;
};

// Exact, in closed form. The middle joint turns about its hinge (its limit, else the axis it is
// bent about now, else the one that bends it towards the pole) until the tip is as far from the
// root as the target is: with u the upper bone, v the lower one and k the axis, |u + R(k, a) v| is
// the distance where  u.R(k, a)v = (u.k)(v.k) + B cos a + C sin a,  B = u.v - (u.k)(v.k), C = u.(k
// x v). Then the root turns the tip onto the target and the middle about the line between them
// towards the pole (a point in model space; none: the middle stays on the side it is on). weight in
// [0, 1]: how much of the turns is taken. Throws nothing; a chain that is not one above the other
// in the hierarchy is a broken contract.
IkResult solveTwoBone(const Hierarchy& hierarchy, const JointLimits& limits,
                      const TwoBoneChain& chain, const IkTarget& target,
                      const std::optional<vec3>& pole, float weight, Pose& pose);

struct IkOptions {
  float tolerance = 1e-4f; // of the chain's length
  int rounds = 200;        // at most
};

// A chain of any length: from the node that turns first to the tip, which does not turn. Cyclic
// coordinate descent (Wang and Chen 1991): joint after joint, from the tip's parent up, turns the
// tip towards the target, each held to its limit at once. Where limits bring that to a standstill
// away from a target within reach, it starts anew from other poses within the limits, always the
// same ones; the nearest result is taken.
IkResult solveChain(const Hierarchy& hierarchy, const JointLimits& limits,
                    const std::vector<std::uint32_t>& chain, const IkTarget& target, float weight,
                    Pose& pose, const IkOptions& options = {});

// The chain of `bones` bones that ends at tip, from its root; shorter where the hierarchy is.
std::vector<std::uint32_t> chainTo(const Hierarchy& hierarchy, std::uint32_t tip, int bones);

// Sum of the distances between the chain's nodes: how far it reaches at most.
float chainLength(const Hierarchy& hierarchy, const Pose& pose,
                  const std::vector<std::uint32_t>& chain);

} // namespace sinew
