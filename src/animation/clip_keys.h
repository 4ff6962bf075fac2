// When a clip has keys, and how fast its frames follow one another.
#pragma once

#include "model/clip.h"

#include <optional>
#include <vector>

namespace sinew {

// Ascending, each once, not before 0; of all channels, or of one node's alone.
std::vector<float> keyTimes(const Clip& clip, std::optional<std::uint32_t> node = {});

inline constexpr float kUsualFrame = 1.0f / 30.0f;

// Seconds from one frame to the next: the commonest distance of neighbouring keys (their median).
// kUsualFrame where keys are too few or too far apart (over a tenth of a second) to be frames.
float frameSeconds(const Clip& clip);

} // namespace sinew
