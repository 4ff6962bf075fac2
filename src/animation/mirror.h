// Left to right: which joint is the other side's of which, and poses mirrored.
//
// A pose is mirrored by what it does to the joints from the pose the mesh was modelled in, seen in
// model space. So it does not matter how the two sides' joints have their axes.
#pragma once

#include "animation/pose.h"

#include <cstdint>
#include <vector>

namespace sinew {

struct MirrorMap {
  vec3 normal{1.0f, 0.0f, 0.0f}; // of the plane between left and right, model space, unit
  float offset = 0.0f;           // of the plane: dot(normal, p) = offset
  // Per node the other side's; the node itself where it belongs to both; kNoNode where there is
  // none.
  std::vector<std::uint32_t> partner;
  std::vector<std::uint32_t> without; // joints that have none, ascending
};

// By names (side_names.h); what they leave open by position in the bind pose, within 2 % of the
// skeleton's size: a joint in the plane is its own partner. The plane follows from the pairs that
// names give; without any it is the upright one that pairs most joints.
MirrorMap mirrorMap(const Model& model);

// All of the pose. Nodes without a partner keep their local transform.
Pose mirrored(const Model& model, const MirrorMap& map, const Pose& pose);

// The pose of `node` and all below it, mirrored onto the other side; the rest stays. A node without
// a partner changes nothing.
Pose mirroredOnto(const Model& model, const MirrorMap& map, const Pose& pose, std::uint32_t node);

} // namespace sinew
