// The outline of a model over its clip: what a camera has to show so that nothing leaves the
// picture.
#pragma once

#include "app/workbench.h"

#include <cstdint>
#include <vector>

namespace sinew {

// Samples the skin, by linear blending: methods differ by less than a camera's margin.
// modelFromNode: F of every node.
Outline skinOutline(const Rig& rig, const std::vector<mat4>& modelFromNode);

// How far a camera goes with a model whose joints' middle has moved: motions within 8 % of the
// framed box's size, breathing and steps on the spot, are not followed.
vec3 followed(const vec3& moved, float framedSize);

// Model space, never empty, for a camera that follows the model from its pose of now on:
// posedOutline() and skinOutline() of its moments.
Outline outlineOverClip(const Workbench& workbench, Wrap wrap);

// How far around a joint its limb reaches as posed, by the nearest quarter of the skin that follows
// the joint; 0 without such skin. Bones may be shorter than their limb is thick.
float limbRadius(const Workbench& workbench, std::uint32_t joint);

// Like outlineOverClip(), of a joint, its limb and half of every bone that ends there, while the
// framed box is as large as that. joint: a node of jointNodes().
Bounds jointOverClip(const Workbench& workbench, Wrap wrap, std::uint32_t joint, float framedSize);

} // namespace sinew
