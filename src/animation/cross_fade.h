// From clip to clip without a jump: the clips that were chosen before go on playing while each
// gives way, smoothly, to the one chosen after it.
#pragma once

#include "animation/clip_play.h"

#include <optional>
#include <vector>

namespace sinew {

// One that is going.
struct FadingClip {
  std::optional<ClipPlay> play; // none: the pose below
  Pose held;
  double ahead = 0.0;   // its time less that of the newest
  float seconds = 0.0f; // it takes to give way to the next
  float gone = 0.0f;    // of that
  ClipPlayState memory;
};

// Oldest first.
using CrossFade = std::vector<FadingClip>;

// Moves the fades on; those that are done, and what lies under them, go.
void advanceFade(CrossFade& fade, float seconds);

// pose: that of the newest, at `time`; becomes what is shown.
void applyFade(const Model& model, CrossFade& fade, double time, Pose& pose);

} // namespace sinew
