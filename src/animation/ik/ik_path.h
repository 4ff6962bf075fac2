// The nodes from a chain's root to its tip, copied out of the skeleton: both solvers of ik.h work
// on them, so a rotation costs the chain's length and not the skeleton's.
#pragma once

#include "animation/ik/joint_limits.h"

#include <vector>

namespace sinew {

struct IkPath {
  mat4 modelFromBase{1.0f};             // the base is the first node's parent
  std::vector<std::uint32_t> nodes;     // root to tip, each the parent of the next
  std::vector<Transform> local;         // parent from node
  std::vector<quat> rest;               // rotations at rest
  std::vector<const JointLimit*> limit; // null: rotates freely
  std::vector<mat4> model;              // F

  std::size_t tip() const { return nodes.size() - 1; }
  vec3 at(std::size_t i) const { return {model[i][3]}; }
};

// root: the tip or an ancestor of it.
IkPath makePath(const Hierarchy& hierarchy, const JointLimits& limits, const Pose& pose,
                std::uint32_t root, std::uint32_t tip);

// The index of a node in the path.
std::size_t indexIn(const IkPath& path, std::uint32_t node);

// Recomputes F of the nodes from i on.
void updateFrom(IkPath& path, std::size_t i);

quat computeOrientation(const IkPath& path, std::size_t i);

// Rotates node i about its origin by a rotation in model space, applies its limit and updates its
// descendants.
void rotateNode(IkPath& path, std::size_t i, const quat& modelRotation);

// Gives node i an orientation in model space, as far as its limit allows.
void orient(IkPath& path, std::size_t i, const quat& orientation);

// Applies the limit of node i; the caller updates.
void limitNode(IkPath& path, std::size_t i);

// The shortest rotation from direction a to direction b; the identity where either has no length.
// Where they are opposite, 180 degrees about some perpendicular axis.
quat rotationBetween(const vec3& a, const vec3& b);

// Writes the rotations back, blended by `weight` from those of the pose, within the limits.
void writeBack(const IkPath& path, float weight, Pose& pose);

} // namespace sinew
