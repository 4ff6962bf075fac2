// The motion of a page whose program packs the palettes (page_posing.h): the local transforms of
// the nodes in every pose, each number in as few steps as the skin's error allows.
#pragma once

#include "page/packed_arrays.h"
#include "page/page_clip.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <span>

namespace sinew {

// Adds eleven numbers per node and pose: translation, rotation x y z w, scale, twist. Puts in
// `read` what the reader will have. The steps are halved until no vertex that was tried is off by
// more than 4e-5 of `size`. With `exact`, or where even the smallest steps are too large, floats
// are stored unchanged.
nlohmann::ordered_json addTransforms(const Workbench& workbench,
                                     std::span<const std::uint32_t> nodes, const PageClip& clip,
                                     float size, bool exact, PackedArrays& arrays, Channels& read);

// The pose of a clip with the transforms that a reader has of it.
struct ReadPose {
  std::vector<mat4> modelFromNode;
  std::vector<float> twists;
};
ReadPose readPose(const Hierarchy& hierarchy, std::span<const std::uint32_t> nodes,
                  const PagePose& pose, std::span<const float> numbers);

} // namespace sinew
