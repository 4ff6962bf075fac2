// A clip as it plays: which part of it, how its time runs, and what becomes of its way over the
// ground.
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

// One per place where a clip plays; a fresh one is always right, only slower.
struct ClipPlayState {
  SampleCursor cursor;
  std::optional<ClipPlay> made; // what `path` was made for
  std::optional<RootPath> path;
};

// Whether time runs through the whole clip as it is.
bool isPlain(const TimeMap& map);

// The pose at `time`, as mapTime() counts it. out is resized.
void sample(const Model& model, const ClipPlay& play, double time, ClipPlayState& state, Pose& out);

} // namespace sinew
