#include "animation/cross_fade.h"

namespace sinew {
namespace {

Pose sampleFading(const Model& model, FadingClip& clip, double time) {
  if (!clip.play) return clip.held;
  Pose pose;
  sample(model, *clip.play, time + clip.ahead, clip.memory, pose);
  return pose;
}

float blendFactor(const FadingClip& clip) {
  return smoothStep(clip.gone / clip.seconds);
}

} // namespace

void advanceFade(CrossFade& fade, float seconds) {
  std::size_t done = 0;
  for (std::size_t i = 0; i < fade.size(); ++i) {
    fade[i].gone += seconds;
    if (!(fade[i].gone < fade[i].seconds)) done = i + 1;
  }
  fade.erase(fade.begin(), fade.begin() + static_cast<std::ptrdiff_t>(done));
}

void applyFade(const Model& model, CrossFade& fade, double time, Pose& pose) {
  if (fade.empty()) return;
  Pose shown = sampleFading(model, fade[0], time);
  for (std::size_t i = 1; i < fade.size(); ++i)
    shown = blend(shown, sampleFading(model, fade[i], time), blendFactor(fade[i - 1]));
  pose = blend(shown, pose, blendFactor(fade.back()));
}

} // namespace sinew
