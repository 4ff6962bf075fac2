// A clip from poses: what a movement, or anything else that makes poses, did over some time.
#pragma once

#include "animation/pose.h"

#include <span>
#include <string>

namespace sinew {

// poses: one per frame, the first at time 0. A part (translation, rotation, scale) of a node that
// keeps its rest value has no track; one that keeps another value has one key.
Clip recordClip(std::string name, const Hierarchy& hierarchy, std::span<const Pose> poses,
                float framesPerSecond);

} // namespace sinew
