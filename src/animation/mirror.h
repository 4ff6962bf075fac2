// Mirroring left to right: pairs of joints, and mirrored poses.
//
// What is mirrored is each joint's change from the bind pose, in model space, so the local axes of
// the two sides' joints need not correspond.
#pragma once

#include "animation/pose.h"

#include <cstdint>
#include <vector>

namespace sinew {

struct MirrorMap {
  vec3 normal{1.0f, 0.0f, 0.0f}; // normal of the plane between left and right, model space, unit
  float offset = 0.0f;           // points p of the plane have dot(normal, p) = offset
  // Per node the node of the other side; the node itself on the plane; kNoNode without a partner.
  std::vector<std::uint32_t> partner;
  std::vector<std::uint32_t> without; // joints without a partner, ascending
};

// Pairs by names (side_names.h), the remaining nodes by position in the bind pose, within 2 % of
// the skeleton's size: a joint in the plane is its own partner. The plane follows from the pairs
// found by name; without any it is the upright plane that pairs most joints.
MirrorMap mirrorMap(const Model& model);

// The whole pose. Nodes without a partner keep their local transform. Morph targets whose names
// differ by their side alone exchange their weights.
Pose mirrored(const Model& model, const MirrorMap& map, const Pose& pose);

// Mirrors the pose of `node` and its descendants onto the other side; all other nodes stay. A node
// without a partner changes nothing.
Pose mirroredOnto(const Model& model, const MirrorMap& map, const Pose& pose, std::uint32_t node);

} // namespace sinew
