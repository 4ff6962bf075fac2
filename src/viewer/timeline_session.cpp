// The clip that plays, its keys and its range: what the time line and its keys do (session.h).

#include "animation/clip_keys.h"
#include "viewer/playback.h"
#include "viewer/session.h"

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

// The movement's own time line has no range; a pose that is held has no time.
bool hasRange(const Viewer& viewer) {
  const Workbench& bench = viewer.bench;
  return bench.clip && !(bench.movement.seconds > 0.0f) && !viewer.crowd;
}

} // namespace

float clipSeconds(const Viewer& viewer) {
  const Workbench& bench = viewer.bench;
  if (bench.movement.seconds > 0.0f && !bench.posed) return bench.movement.seconds;
  return bench.clip ? bench.model.clips[*bench.clip].seconds : 0.0f;
}

void setClip(Viewer& viewer, std::string word) {
  viewer.settings.clip = std::move(word);
  viewer.settings.time = 0.0f;
  viewer.settings.rangeStart = 0.0f;
  viewer.settings.rangeEnd = 0.0f;
}

void stepFrames(Viewer& viewer, int frames) {
  const Workbench& bench = viewer.bench;
  const float each = bench.clip ? frameSeconds(bench.model.clips[*bench.clip]) : kUsualFrame;
  stepTime(viewer.settings, playedRange(bench, wrapOf(viewer.settings)), each, frames);
}

bool moving(const Viewer& viewer) {
  if (viewer.settings.turntable || ragdollMoves(viewer)) return true;
  if (!viewer.settings.playing) return false;
  if (viewer.crowd || clipSeconds(viewer) > 0.0f) return true;
  const Workbench& bench = viewer.bench;
  return !posing(viewer) && (!bench.movement.layers.empty() || !bench.memory.fade.empty());
}

void findKeys(Viewer& viewer) {
  TimelineUi& ui = viewer.ui.timeline;
  const Workbench& bench = viewer.bench;
  if (ui.clip == bench.clip && ui.node == viewer.selected) return;
  ui.clip = bench.clip;
  ui.node = viewer.selected;
  ui.keys.clear();
  ui.joint.clear();
  if (!bench.clip) return;
  const Clip& clip = bench.model.clips[*bench.clip];
  ui.keys = keyTimes(clip);
  if (viewer.selected) ui.joint = keyTimes(clip, *viewer.selected);
}

void stepKey(Viewer& viewer, int direction) {
  findKeys(viewer);
  const TimelineUi& ui = viewer.ui.timeline;
  viewer.settings.playing = false;
  const TimeMap range = playedRange(viewer.bench, wrapOf(viewer.settings));
  if (const auto key =
          nextKey(ui.joint.empty() ? ui.keys : ui.joint, viewer.settings.time, direction))
    viewer.settings.time = std::clamp(*key, range.begin, lastMoment(range));
}

void setRangeStart(Viewer& viewer, float time) {
  if (!hasRange(viewer)) return;
  const TimeMap range = playedRange(viewer.bench, Wrap::loop);
  viewer.settings.rangeStart = std::clamp(time, 0.0f, std::max(range.end - 1e-3f, 0.0f));
  viewer.settings.time = std::max(viewer.settings.time, viewer.settings.rangeStart);
}

void setRangeEnd(Viewer& viewer, float time) {
  if (!hasRange(viewer)) return;
  TimeMap range = playedRange(viewer.bench, wrapOf(viewer.settings));
  const float seconds = viewer.bench.model.clips[*viewer.bench.clip].seconds;
  const float end = std::clamp(time, std::min(range.begin + 1e-3f, seconds), seconds);
  viewer.settings.rangeEnd = end < seconds ? end : 0.0f;
  range.end = end;
  viewer.settings.time = std::min(viewer.settings.time, lastMoment(range));
}

void resetRange(Viewer& viewer) {
  viewer.settings.rangeStart = 0.0f;
  viewer.settings.rangeEnd = 0.0f;
}

} // namespace sinew
