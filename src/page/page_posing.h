// What a page needs so that its reader can rotate joints: the program that poses (pose_module.cpp),
// a PoseRig for it, and the transforms of the nodes in every pose.
#pragma once

#include "page/packed_arrays.h"
#include "page/page_clip.h"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>

namespace sinew {

// Why a page of these has no joints to rotate; empty where it may have.
std::string fixedReason(const Workbench& bench, std::span<const PageClip> clips);

// Adds "posing" to the description: "module" and "rig" (bytes), "joints" (the node of each) and
// "blended" (node and place of each blended material); and to each of its clips "transforms", of
// every node eleven numbers in every pose: translation, rotation x y z w, scale, twist. Rounded
// unless that would move a vertex visibly, or `exact`.
void addPosing(const Workbench& bench, std::span<const PageClip> clips, float size, bool exact,
               nlohmann::ordered_json& description, PackedArrays& arrays);

} // namespace sinew
