// The center and bone direction of each joint in bind space: c(j) and d(j) of docs/methods.md,
// section 7.
#pragma once

#include "rig/rig.h"

#include <vector>

namespace sinew {

// Lengths in the model's unit. parentLength: distance from the parent joint's center; the bone's
// own length if there is no parent. All lengths positive, direction unit.
struct BoneAxis {
  vec3 center{0.0f};
  vec3 direction{0.0f, 1.0f, 0.0f};
  float length = 1.0f;
  float parentLength = 1.0f;
};

// One per joint of the rig. A bone points to a child joint: to the one whose subtree carries the
// most skin (if equal, the farthest). Skin is counted by vertices, those at one position once. A
// bone without children points away from its parent, or, without a parent, towards its skin; its
// length is the extent of its skin.
std::vector<BoneAxis> boneAxes(const Rig& rig);

} // namespace sinew
