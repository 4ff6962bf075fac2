// Ambient occlusion of a rig in its rest pose: how much of the surroundings its own surface hides
// from each vertex, by rays.
#pragma once

#include "app/workbench.h"

#include <vector>

namespace sinew {

// Meshes with more vertices have none: the rays would take longer than a second.
inline constexpr std::size_t kMaxHiddenVertices = 200'000;

// 0 to 1 of each vertex of the rig, from what is nearer than an eighth of the model's size. Empty
// where there is no surface, or too large a one.
std::vector<float> hiddenShares(const Workbench& workbench);

} // namespace sinew
