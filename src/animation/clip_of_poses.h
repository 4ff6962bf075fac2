// Movement that was computed, as a clip: what physics or procedures made, kept and exported.
#pragma once

#include "animation/pose.h"
#include "model/clip.h"

#include <span>
#include <string>

namespace sinew {

// A key for every pose, `perSecond` of them a second; at least one pose. Tracks whose values are
// all one have one key, nodes that stay at rest no channel.
Clip clipOfPoses(const Hierarchy& hierarchy, std::string name, std::span<const Pose> poses,
                 double perSecond);

} // namespace sinew
