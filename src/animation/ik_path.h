// The nodes from a chain's first to its tip, apart from the rest of the skeleton: what both solvers
// of ik.h work on, so that a turn costs the chain's length and not the skeleton's.
#pragma once

#include "animation/joint_limits.h"

#include <vector>

namespace sinew {

struct IkPath {
  mat4 modelFromBase{1.0f};             // of the first node's parent
  std::vector<std::uint32_t> nodes;     // root to tip, each the parent of the next
  std::vector<Transform> local;         // parent from node
  std::vector<quat> rest;               // rotations at rest
  std::vector<const JointLimit*> limit; // null: turns freely
  std::vector<mat4> model;              // F

  std::size_t tip() const { return nodes.size() - 1; }
  vec3 at(std::size_t i) const { return {model[i][3]}; }
};

// root has to be the tip or an ancestor of it.
IkPath pathOf(const Hierarchy& hierarchy, const JointLimits& limits, const Pose& pose,
              std::uint32_t root, std::uint32_t tip);

// Where in the path a node is.
std::size_t indexIn(const IkPath& path, std::uint32_t node);

// F of the nodes from i on.
void updateFrom(IkPath& path, std::size_t i);

quat orientationOf(const IkPath& path, std::size_t i);

// Turns node i by a rotation of model space about its own place, holds it to its limit and updates
// what hangs on it.
void turnNode(IkPath& path, std::size_t i, const quat& modelTurn);

// Turns node i to an orientation in model space, as far as its limit allows.
void orient(IkPath& path, std::size_t i, const quat& orientation);

// Holds node i to its limit; the caller updates.
void holdNode(IkPath& path, std::size_t i);

// The shortest turn that takes direction a to direction b; none where either has no length. Where
// they are opposite, half a turn about some axis at right angles.
quat turnBetween(const vec3& a, const vec3& b);

// Writes the rotations back, `weight` of the way from those the pose has, held to the limits.
void writeBack(const IkPath& path, float weight, Pose& pose);

} // namespace sinew
