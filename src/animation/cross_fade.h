// Cross-fades between clips: previously chosen clips keep playing while each fades smoothly into
// the one chosen after it.
#pragma once

#include "animation/clip_play.h"

#include <optional>
#include <vector>

namespace sinew {

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
