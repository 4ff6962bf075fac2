// Which joints of a retargeted motion move beside rotating, and what goes with them.
#pragma once

#include "animation/retarget/skeleton_relation.h"
#include "model/model.h"

#include <map>
#include <span>
#include <vector>

namespace sinew {

struct JointTravel {
  std::vector<bool> travels; // per pair: its joint takes over the motion's translation
  std::vector<vec3> anchors; // per pair: what a root rotates about, from its rest
  // Nodes that translate in the place of pairs, and those pairs.
  std::vector<std::uint32_t> carriers;
  std::vector<std::size_t> carried;
  // Pairs that hang in the motion on a limb and in the model beside it, parents in the motion
  // first; and the pairs of those limbs.
  std::vector<std::size_t> hung;
  std::map<std::size_t, std::size_t> limbs;
  // Nodes without a pair that stay at another node, and those nodes.
  std::vector<std::uint32_t> followers, followed;
};

// facing: the rotation from the motion's model space to the model's, of skeletons that face alike.
JointTravel planTravel(const Model& model, const RestSkeleton& rest, const RestSkeleton& motionRest,
                       std::span<const JointPair> pairs, const Relation& relation,
                       const quat& facing);

} // namespace sinew
