// What a page needs to move: the program that packs palettes (pose_module.cpp), and a PoseRig for
// it. Its reader can rotate joints by hand with it.
#pragma once

#include "page/packed_arrays.h"
#include "page/page_clip.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// Why a page of these has no joints to rotate; empty where it may have.
std::string fixedReason(const Workbench& bench, std::span<const PageClip> clips);

// Adds "posing" to the description: "module" and "rig" (bytes), "joints" (the node of each) and
// "blended" (node and place of each blended material). Returns the nodes of the model's hierarchy
// whose transforms the program takes, in its order.
std::vector<std::uint32_t> addPosing(const Workbench& bench, nlohmann::ordered_json& description,
                                     PackedArrays& arrays);

} // namespace sinew
