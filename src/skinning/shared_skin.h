// Which joints move the same piece of skin: where twist has to arrive evenly (docs/methods.md,
// section 15).
#pragma once

#include "rig/bone_axes.h"

#include <vector>

namespace sinew {

struct SharedSkin {
  // Per joint the nearest one above it that moves some corner of the same triangle, or the same
  // vertex; kNoNode: none does.
  std::vector<std::uint32_t> above;
  // Per joint how far along its bone its part of that skin reaches; 0: not beyond the joint.
  std::vector<float> reach;
};

SharedSkin sharedSkin(const Rig& rig, std::span<const BoneAxis> axes);

// Per joint: whether it or a joint below it moves skin.
std::vector<bool> carrySkin(const Rig& rig);

// Per joint the one that its bone points at; kNoNode for a bone without children, and where
// nothing below moves skin: what happens there is nobody's.
std::vector<std::uint32_t> jointsAtEnds(const Rig& rig, std::span<const BoneAxis> axes);

} // namespace sinew
