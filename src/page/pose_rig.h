// What posing needs of a model, without a vertex: so small that a page has it. Node by node it has
// the parents, of the rig joints and splines, and of every binding what Method::pack reads.
#pragma once

#include "model/hierarchy.h"
#include "rig/rig.h"
#include "skinning/method.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

struct PoseMethod {
  const Method* method = nullptr;
  Binding binding; // no attributes, no forms, and so in its parts
};

struct PoseRig {
  Hierarchy hierarchy; // parents alone
  Rig rig;             // joints and splines alone
  std::vector<PoseMethod> methods;
};

// Has the nodes that joints follow, those of `others`, and all above them. nodes: their indices in
// the given hierarchy, ascending; a PoseRig counts them from 0.
PoseRig poseRig(const Hierarchy& hierarchy, const Rig& rig, std::span<const PoseMethod> methods,
                std::span<const std::uint32_t> others, std::vector<std::uint32_t>& nodes);

// Little-endian words of 32 bits, and back. Reading gives nothing where the words end too early or
// too late, or name a method that is not in the table.
std::vector<std::byte> toBytes(const PoseRig& rig);
std::optional<PoseRig> readPoseRig(std::span<const std::byte> bytes);

} // namespace sinew
