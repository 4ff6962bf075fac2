// Links from the ends of a skeleton's bones to joints, so that bones follow joints that are moved,
// added or removed, however the bones were made.
#pragma once

#include "weights/skeleton.h"

#include <optional>
#include <span>
#include <vector>

namespace sinew {

// A bone begins at its joint and ends at another joint or at a free point.
struct BoneLink {
  std::uint32_t joint = 0;              // index into Skeleton::joints
  std::optional<std::uint32_t> toJoint; // index into Skeleton::joints
  vec3 to{0.0f};                        // the free point, in the joint's own axes
};

// One per bone. A bone that ends at the position of a child joint is linked to it.
std::vector<BoneLink> boneLinks(const Skeleton& skeleton);

// Recreates the bones at the current joints. A joint with neither bones, parent nor children gets a
// bone without length.
void linkBones(Skeleton& skeleton, std::span<const BoneLink> links);

// Links a joint that was added as the last: a bone of its parent ends at it, in place of the
// parent's bones that ended at free points.
void linkAdded(const Skeleton& skeleton, std::vector<BoneLink>& links);

// Unlinks a joint that is to be removed: its bones are removed, and bones of its parent end at its
// children. The resulting links are those of the skeleton without it.
void linkRemoved(const Skeleton& skeleton, std::uint32_t joint, std::vector<BoneLink>& links);

} // namespace sinew
