// Playback of a clip: its range, how its time runs, its root motion, and cross-fades.
#pragma once

#include "animation/root_motion.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinew {

struct ClipPlay {
  std::uint32_t clip = 0; // index into the model's clips
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

// A cross-fade: previously chosen clips keep playing while each fades smoothly into the one chosen
// after it.
struct FadingClip {
  std::optional<ClipPlay> play; // none: `held` is shown
  Pose held;
  double ahead = 0.0;   // its time minus that of the newest clip
  float seconds = 0.0f; // duration of the fade into the next
  float gone = 0.0f;    // seconds of the fade that have passed
  ClipPlayState memory;
};

// Oldest first.
using CrossFade = std::vector<FadingClip>;

// Advances the fades; removes those that are complete and all below them.
void advanceFade(CrossFade& fade, float seconds);

// pose: in, the newest clip's at `time`; out, the blended pose.
void applyFade(const Model& model, CrossFade& fade, double time, Pose& pose);

} // namespace sinew
