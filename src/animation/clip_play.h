// Playback of a clip: its range, how its time runs, and its root motion.
#pragma once

#include "animation/root_motion.h"

#include <cstdint>
#include <optional>

namespace sinew {

struct ClipPlay {
  std::uint32_t clip = 0; // of the model
  TimeMap map;
  RootMotion root = RootMotion::keep;

  bool operator==(const ClipPlay&) const = default;
};

// One per playback of a clip. A new one is always valid, only slower.
struct ClipPlayState {
  SampleCursor cursor;
  std::optional<ClipPlay> made; // what `path` was made for
  std::optional<RootPath> path;
};

// Whether the map plays the whole clip forwards at an even pace.
bool isPlain(const TimeMap& map);

// The pose at `time`, as mapTime() counts it. out is resized.
void sample(const Model& model, const ClipPlay& play, double time, ClipPlayState& state, Pose& out);

} // namespace sinew
