// The box of a posed character from boxes of its joints: a few operations a joint, and no vertex is
// looked at.
//
// A vertex blended from matrices is a mean of where each of its joints puts it, so it lies within
// the box of the posed boxes of those. Other methods bend beyond: their boxes get a margin.
#pragma once

#include "animation/pose_lanes.h"
#include "core/bounds.h"
#include "rig/rig.h"
#include "skinning/method.h"

#include <array>
#include <span>
#include <vector>

namespace sinew {

// The box of the vertices that follow a joint, in its space.
struct JointBox {
  std::uint32_t node = 0;
  vec3 center{0.0f};
  vec3 half{0.0f}; // half the extent
};

struct JointBoxes {
  std::vector<JointBox> joints; // joints that some vertex follows
  float margin = 0.0f;          // share of a posed box's size
};

// The margin of methods whose palettes are no matrices: what no method exceeded in tests.
inline constexpr float kBendMargin = 0.15f;

// Boxes for culling by `method`. Throws usageError where free splines or morph targets move skin.
JointBoxes jointBoxes(const Rig& rig, const Method& method);

// Model space. modelFromNode: F of every node. Empty without joints.
Bounds posedBox(const JointBoxes& boxes, std::span<const mat4> modelFromNode);
void posedBoxes(const JointBoxes& boxes, const PoseLanes& pose, std::array<Bounds, kLanes>& out);

// Whether some of the box may be: false only where all of it is beyond one plane of the picture.
bool isInPicture(const mat4& clipFromWorld, const Bounds& box);

} // namespace sinew
