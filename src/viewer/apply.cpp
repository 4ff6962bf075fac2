// What a change of settings means for rig, clip and GPU: the second half of session.h.

#include "core/error.h"
#include "viewer/bind.h"
#include "viewer/paint_tool.h"
#include "viewer/playback.h"
#include "viewer/session.h"

#include <chrono>
#include <cmath>

namespace sinew {
namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void applyBinding(Viewer& viewer, bool zones) {
  const Settings& now = viewer.settings;
  const Settings& was = viewer.applied;
  const bool bind = now.method != was.method || now.influences != was.influences ||
                    now.parameters != was.parameters || now.difference != was.difference || zones;
  std::vector<std::size_t> changed;
  if (bind) changed = rebind(viewer.bench, now);
  if (!bind && now.palette == was.palette) return;
  viewer.stale = true;
  // The pack of the new methods has not run yet: the meshes take their palettes from here.
  evaluate(viewer.bench, playedTime(viewer.clock, now.time), wrapOf(now));
  if (now.palette != was.palette)
    uploadBinding(viewer.graphics->picture, viewer.bench, now);
  else
    uploadBinding(viewer.graphics->picture, viewer.bench, now, changed);
  viewer.statistics = {};
  viewer.bind.refreshFields = true;
}

bool playedOtherwise(const Settings& now, const Settings& was) {
  return now.rangeStart != was.rangeStart || now.rangeEnd != was.rangeEnd || now.root != was.root;
}

// Another clip, or another part of it.
void applyClip(Viewer& viewer) {
  if (drafting(viewer)) return; // it stands as it will be bound
  Settings& now = viewer.settings;
  const Settings& was = viewer.applied;
  const bool other = now.clip != was.clip;
  if (!other && !playedOtherwise(now, was)) return;
  viewer.stale = true;
  if (posing(viewer)) return; // chosen when the pose is let go
  const bool fades =
      other && now.playing && now.fade > 0.0f && !viewer.crowd && !viewer.bench.posed;
  if (fades)
    fadeToClip(viewer.bench, now, static_cast<double>(now.time), playedTime(viewer.clock, was.time),
               now.fade);
  else
    chooseClip(viewer.bench, now);
  if (other) {
    now.time = wrapTime(now.time, clipSeconds(viewer), Wrap::loop);
    viewer.clock = {static_cast<double>(now.time), now.time};
  }
  if (viewer.crowd)
    for (CrowdMember& member : viewer.crowd->members) {
      member.clip = viewer.bench.clip;
      member.memory = {};
    }
}

void applyWeights(Viewer& viewer) {
  if (comparing(viewer)) return applyComparedWeights(viewer);
  Settings& settings = viewer.settings;
  settings.weightsOf.clear();
  const bool free = settings.difference == "none"; // else its colours are there already
  if (viewer.heatMap && viewer.selected && free && !drafting(viewer))
    settings.weightsOf = viewer.bench.model.hierarchy.nodes[*viewer.selected].name;
  if (settings.weightsOf != viewer.applied.weightsOf)
    uploadWeights(viewer.graphics->picture, viewer.bench, settings);
  showPaintedField(viewer);
}

} // namespace

void applySettings(Viewer& viewer) {
  Settings& settings = viewer.settings;
  if (!hasModel(viewer)) return; // no model yet
  try {
    applyBinding(viewer, applyEdits(viewer));
    applyClip(viewer);
    applyWeights(viewer);
  } catch (const Error& error) {
    toast(viewer, error.what());
    settings.method = viewer.applied.method;
    settings.influences = viewer.applied.influences;
    settings.parameters = viewer.applied.parameters;
    settings.palette = viewer.applied.palette;
    settings.clip = viewer.applied.clip;
    settings.rangeStart = viewer.applied.rangeStart;
    settings.rangeEnd = viewer.applied.rangeEnd;
    settings.difference = viewer.applied.difference;
    rebind(viewer.bench, settings);
    evaluate(viewer.bench, playedTime(viewer.clock, settings.time), wrapOf(settings));
    uploadBinding(viewer.graphics->picture, viewer.bench, settings);
  }
  if (settings.time != viewer.applied.time || wrapOf(settings) != wrapOf(viewer.applied))
    viewer.stale = true;
  viewer.applied = settings;
}

void advanceScene(Viewer& viewer, float seconds) {
  Settings& settings = viewer.settings;
  if (settings.turntable) settings.yaw = std::remainder(settings.yaw + 30.0f * seconds, 360.0f);
  if (settings.playing && viewer.crowd) viewer.crowdSeconds += seconds * settings.speed;
  applySettings(viewer);
  if (moving(viewer) && settings.playing) {
    advance(settings, viewer.clock, playedRange(viewer.bench, wrapOf(settings)), seconds);
    advanceFade(viewer.bench.memory.fade, seconds);
    viewer.applied.time = settings.time;
    viewer.stale = true;
  }
  advanceRagdoll(viewer, seconds);
  if (!viewer.stale || !hasModel(viewer)) return;
  viewer.stale = false;

  Picture& picture = viewer.graphics->picture;
  EvaluateCost cost;
  Clock::time_point uploadStart;
  if (viewer.crowd) {
    evaluateCrowd(viewer.bench, viewer.bench.bound.front(), *viewer.crowd, viewer.crowdSeconds);
    cost = viewer.crowd->cost;
    uploadStart = Clock::now();
    picture.meshes.front().setCrowd(viewer.crowd->rows, viewer.crowd->offsets,
                                    viewer.crowd->nonUniformScale);
  } else {
    if (!poseByRagdoll(viewer))
      evaluate(viewer.bench, playedTime(viewer.clock, settings.time), wrapOf(settings));
    cost = viewer.bench.cost;
    uploadStart = Clock::now();
    uploadPalette(picture, viewer.bench);
  }
  viewer.statistics.upload.push(millisecondsSince(uploadStart));
  viewer.statistics.pose.push(cost.poseMs);
  viewer.statistics.palette.push(cost.paletteMs);
  viewer.statistics.difference.push(cost.differenceMs);
}

} // namespace sinew
