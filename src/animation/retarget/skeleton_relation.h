// The relation of two skeletons with common joints: scale, facing, and whether they have the same
// joint frames and bones.
#pragma once

#include "animation/pose.h"
#include "animation/retarget/joint_names.h"

#include <vector>

namespace sinew {

// Relative difference below which lengths are equal.
inline constexpr float kSameLength = 0.005f;

// One skeleton in its rest pose, model space.
struct RestSkeleton {
  explicit RestSkeleton(const Hierarchy& h) : hierarchy(h) {
    for (const mat4& m : modelFromNodes(h, restPose(h))) {
      position.push_back(vec3(m[3]));
      rotation.push_back(decompose(m).rotation);
    }
  }
  std::uint32_t parent(std::uint32_t node) const { return hierarchy.nodes[node].parent; }

  const Hierarchy& hierarchy;
  std::vector<vec3> position;
  std::vector<quat> rotation;
};

// Determined from the common bones, by majority weighted by length: a motion's rest pose may itself
// be a frame of it, with displaced joints.
struct Relation {
  float scale = 1.0f;               // model over motion: the median of the bones
  float size = 0.0f;                // sum of the model's matched bones
  bool sameFrames = false;          // bones have the same directions in their joints' frames
  bool sameBones = false;           // and the same lengths
  bool sameTree = true;             // matched joints have matched parents
  quat modelFromMotion{1, 0, 0, 0}; // aligns the facing, and converts a motion with Z up
};

Relation relate(const RestSkeleton& model, const RestSkeleton& motion,
                const std::vector<JointPair>& pairs);

} // namespace sinew
