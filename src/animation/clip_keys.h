// The key times of a clip, its frame duration, and poses recorded as keys.
#pragma once

#include "animation/pose.h"
#include "model/clip.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// The key times of all channels, also those of morph targets, or of one node only. They are
// ascending, without duplicates, and none is below 0.
std::vector<float> keyTimes(const Clip& clip, std::optional<std::uint32_t> node = {});

// keyTimes(), and between keys of steps and of cubic curves as many more as a track of linear keys
// needs to follow them: the last moment before a step, and kCurveParts - 1 within a curve.
inline constexpr int kCurveParts = 8;
std::vector<float> linearKeyTimes(const Clip& clip);

inline constexpr float kUsualFrame = 1.0f / 30.0f;

// Seconds from one frame to the next: the median distance of neighbouring keys. kUsualFrame where
// keys are too few or too far apart (over a tenth of a second) to be frames.
float frameSeconds(const Clip& clip);
float frameSeconds(std::span<const float> keyTimes); // takes the result of keyTimes()

// Poses recorded as a clip: what layers, a ragdoll or anything else made over some time. One pose
// per frame, the first at time 0. A part (translation, rotation, scale) of a node that keeps its
// rest value has no track; one that keeps another value has one key; morph targets and twists
// likewise. Neighbouring rotations are on the same hemisphere.
Clip recordClip(const Model& model, std::string name, std::span<const Pose> poses,
                double framesPerSecond);

// The same with a time for each pose, rising from 0; the clip ends with the last.
Clip recordClip(const Model& model, std::string name, std::span<const Pose> poses,
                std::span<const float> times);

} // namespace sinew
