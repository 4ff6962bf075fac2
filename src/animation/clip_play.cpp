#include "animation/clip_play.h"

namespace sinew {

bool isPlain(const TimeMap& map) {
  return map.begin <= 0.0f && map.end <= 0.0f && !map.reversed && map.ease == Ease::linear &&
         map.warp.empty();
}

void sample(const Model& model, const ClipPlay& play, double time, ClipPlayState& state,
            Pose& out) {
  const Clip& clip = model.clips[play.clip];
  if (play.root == RootMotion::keep && isPlain(play.map))
    return sample(model, clip, static_cast<float>(time), play.map.wrap, state.cursor, out);
  const ClipTime at = mapTime(play.map, time, clip.seconds);
  sample(model, clip, at.time, Wrap::clamp, state.cursor, out);
  if (play.root == RootMotion::keep) return;
  if (state.made != play) {
    state.path = rootPath(model, clip, play.map);
    state.made = play;
  }
  if (state.path) moveRoot(model.hierarchy, *state.path, play.root, at.loops, out);
}

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
