// Poses recorded as a clip: what layers, a ragdoll or anything else made over some time.
#pragma once

#include "animation/pose.h"

#include <span>
#include <string>

namespace sinew {

// One pose per frame, the first at time 0. A part (translation, rotation, scale) of a node that
// keeps its rest value has no track; one that keeps another value has one key; morph targets
// and twists likewise. Neighbouring rotations are on the same hemisphere.
Clip recordClip(const Model& model, std::string name, std::span<const Pose> poses,
                double framesPerSecond);

// The same with a time for each pose, rising from 0; the clip ends with the last.
Clip recordClip(const Model& model, std::string name, std::span<const Pose> poses,
                std::span<const float> times);

} // namespace sinew
