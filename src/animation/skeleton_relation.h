// How two skeletons with joints in common relate: scale, facing, and whether they have the same
// joint frames and bones.
#pragma once

#include "animation/joint_names.h"
#include "animation/pose.h"

#include <vector>

namespace sinew {

// Lengths that differ by less than this share are the same.
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

// How the two skeletons relate, judged by the bones both have. A motion's rest may itself be a
// frame of it, with joints out of place, so the judgement is that of the majority, by length.
struct Relation {
  float scale = 1.0f;               // model over motion: the median of the bones
  float size = 0.0f;                // all the model's matched bones together
  bool sameFrames = false;          // bones point the same way as seen from their joints
  bool sameBones = false;           // and are as long
  bool sameTree = true;             // matched joints have matched parents
  quat modelFromMotion{1, 0, 0, 0}; // the way each faces, and a motion with Z upwards set upright
};

Relation relate(const RestSkeleton& model, const RestSkeleton& motion,
                const std::vector<JointPair>& pairs);

} // namespace sinew
