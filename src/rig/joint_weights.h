// From bones, of which artists' files speak, to joints, of which bones blending and arc-splines do
// (methods, "From bone weights to joints"). A joint is the edge from a bone to its parent bone; it
// is named by the bone that begins at it.
#pragma once

#include "rig/rig.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

struct JointAttachment {
  std::uint32_t joint = 0; // index into Rig::joints
  float weight = 0.0f;
  float childShare = 1.0f; // t_w: 0 follows the joint's parent, 1 the joint
};

// Those of vertex v are values[offsets[v] .. offsets[v + 1]): at least one, by falling weight,
// weights summing to 1.
struct JointAttachments {
  std::vector<std::uint32_t> offsets{0};
  std::vector<JointAttachment> values;

  std::size_t vertexCount() const { return offsets.size() - 1; }
  std::span<const JointAttachment> of(std::size_t vertex) const {
    return {values.data() + offsets[vertex], values.data() + offsets[vertex + 1]};
  }
};

// Each bone's weight is shared among the joints it touches in proportion to the weight of the bone
// at the other end; with none, it goes to its own joint. The `kept` largest joints, renormalised.
JointAttachments attachToJoints(const Rig& rig, std::uint32_t kept);

// Every joint's parent; itself for a joint without one, which so does not move against it.
std::vector<std::uint32_t> parentOrSelf(const Rig& rig);

} // namespace sinew
