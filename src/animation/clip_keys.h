// The key times of a clip, and its frame duration.
#pragma once

#include "model/clip.h"

#include <optional>
#include <span>
#include <vector>

namespace sinew {

// Ascending, without duplicates, none below 0; of all channels, those of morph
// targets too, or of one node's only.
std::vector<float> keyTimes(const Clip& clip, std::optional<std::uint32_t> node = {});

// keyTimes(), and between keys of steps and of cubic curves as many more as a track of linear keys
// needs to follow them: the last moment before a step, and kCurveParts - 1 within a curve.
inline constexpr int kCurveParts = 8;
std::vector<float> linearKeyTimes(const Clip& clip);

inline constexpr float kUsualFrame = 1.0f / 30.0f;

// Seconds from one frame to the next: the median distance of neighbouring keys. kUsualFrame where
// keys are too few or too far apart (over a tenth of a second) to be frames.
float frameSeconds(const Clip& clip);
float frameSeconds(std::span<const float> keyTimes); // of keyTimes()

} // namespace sinew
