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

} // namespace sinew
