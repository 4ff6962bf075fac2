// The poses in which a deformation is looked at before it is baked, and which of them are held out.
#pragma once

#include "animation/pose.h"
#include "core/transform.h"
#include "rig/rig.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinew {

struct BakePoseOptions {
  std::vector<std::uint32_t> clips; // indices of the model's clips
  // Joints bend by up to 135 degrees and twist by up to 180, not only as far as the clips do.
  bool sweep = false;
  std::size_t limit = 320; // largest number of poses together, at least 8
};

// The time of a pose in a clip, for what its velocities move. Without a clip the pose stands still.
struct BakeMoment {
  std::optional<std::uint32_t> clip;
  float seconds = 0.0f;
};

struct BakePoses {
  std::vector<Pose> poses; // poses of clips have morph weights, the others none
  std::vector<std::string> names;
  std::vector<BakeMoment> moments;
  std::vector<bool> heldOut; // a fifth; the first, the bind pose, never is
};

// The bind pose and the rest pose; every clip, wherever a joint has moved by 10 degrees or a 50th
// of the model's size, or a morph weight by a quarter, since; each joint that bends skin in steps
// of 15 degrees about its bone and about two axes across it, over the range that the clips use and
// a step more; and as many random poses of such a joint with its parent as there are joints, five
// times. The same on every call.
BakePoses bakePoses(const Model& model, const Rig& rig, const BakePoseOptions& options);

} // namespace sinew
