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

// Whether the module of pages packs its palettes: it was compiled with a table that has the method.
bool moduleHas(const Method& method);

// Why a page of these has no joints to rotate; empty where it may have. A page without the module
// (withModule false) is shown by a page that has one.
std::string fixedReason(const Workbench& workbench, std::span<const PageClip> clips,
                        bool withModule);

// Adds "posing" to the description: "module" and "rig" (bytes), "joints" (the node of each) and
// "blended" (node and place of each blended material). Returns the nodes of the model's hierarchy
// whose transforms the program takes, in its order. The program does not know velocity skinning: it
// packs the rows of the method below, and the page adds those of addMotion().
std::vector<std::uint32_t> addPosing(const Workbench& workbench,
                                     nlohmann::ordered_json& description, PackedArrays& arrays);

} // namespace sinew
