// Where each joint is in bind space and which way its bone goes: c(j) and d(j) of methods.md.
#pragma once

#include "rig/rig.h"

#include <vector>

namespace sinew {

// Lengths in the model's unit. parentLength: from the parent joint's centre; that of the bone
// itself where there is no parent. All lengths positive, direction unit.
struct BoneAxis {
  vec3 center{0.0f};
  vec3 direction{0.0f, 1.0f, 0.0f};
  float length = 1.0f;
  float parentLength = 1.0f;
};

// One per joint of the rig. A bone goes to the joint that follows: of several children the one
// whose subtree carries the most skin (ties: the longest). A bone without children goes away from
// its parent, or, without one either, towards the skin it carries; it is as long as its skin
// reaches.
std::vector<BoneAxis> boneAxes(const Rig& rig);

} // namespace sinew
