// Constraints of nodes as other programs have them: VRMC_node_constraint 1.0, an extension of glTF.
#pragma once

#include "animation/drivers/pose_driver.h"

#include <cstdint>
#include <vector>

namespace sinew {

// The node turns by a weighted share of its source's rotation from rest (rotation), or of the part
// of that rotation about one of the node's own axes (roll).
struct NodeConstraint {
  std::uint32_t node = 0;
  std::uint32_t source = 0;
  bool roll = false;
  int rollAxis = 0; // 0 X, 1 Y, 2 Z
  float weight = 1.0f;

  bool operator==(const NodeConstraint&) const = default;
};

// Drivers that the extension can say: on, a share in [0, 1] of a sibling's twist about what is a
// coordinate axis of the driven joint, or of the rotation of a sibling that has the same rotation
// at rest; to 0.001 radians.
std::vector<NodeConstraint> makeConstraints(const Model& model, const PoseDrivers& drivers);

} // namespace sinew
