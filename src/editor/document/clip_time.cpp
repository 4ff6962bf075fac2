#include "editor/document/clip_time.h"

#include "animation/clip_keys.h"
#include "editor/document/keying.h"
#include "editor/time/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

// The time line of layers has no range; an edited pose has no time.
bool hasRange(const Document& document) {
  const Workbench& workbench = document.workbench;
  return workbench.clip && !(workbench.layerStack.seconds > 0.0f) && !document.crowd;
}

constexpr float kPointsPerSecond = 30.0f;
constexpr std::size_t kMaxPoints = 600;

Trail madeTrail(Document& document, std::uint32_t clip) {
  const Workbench& workbench = document.workbench;
  const TimeMap range = timelineRange(document);
  Trail trail;
  const float seconds = range.end - range.begin;
  if (!(seconds > 0.0f)) return trail;
  const auto count =
      std::clamp<std::size_t>(static_cast<std::size_t>(seconds * kPointsPerSecond), 2, kMaxPoints);
  findKeys(document);
  std::vector<double> times;
  for (std::size_t i = 0; i <= count; ++i)
    times.push_back(static_cast<double>(range.begin) + static_cast<double>(seconds) *
                                                           static_cast<double>(i) /
                                                           static_cast<double>(count));
  PoseMemory memory;
  Pose pose;
  std::vector<mat4> modelFromNode;
  const auto placeAt = [&](double time) {
    poseAt(workbench, clip, time, Wrap::clamp, memory, pose);
    modelFromNodes(workbench.model.hierarchy, pose, modelFromNode);
    return vec3(modelFromNode[*document.selected][3]);
  };
  for (const double time : times)
    trail.points.push_back(placeAt(time));
  memory = {};
  for (const float key : document.keys.joint)
    if (key >= range.begin && key <= range.end && trail.keys.size() < kMaxPoints)
      trail.keys.push_back(placeAt(static_cast<double>(key)));
  return trail;
}

} // namespace

std::string clipLabel(const Model& model, std::size_t clip) {
  const std::string& name = model.clips[clip].name;
  const std::string_view start = std::string_view(name).substr(0, name.rfind('|') + 1);
  const bool shared =
      start.size() < name.size() && std::ranges::all_of(model.clips, [&](const Clip& each) {
        return each.name.size() > start.size() && each.name.starts_with(start);
      });
  if (name.empty()) return fmt::format("clip {}", clip);
  return shared ? name.substr(start.size()) : name;
}

float clipSeconds(const Document& document) {
  const Workbench& workbench = document.workbench;
  if (workbench.layerStack.seconds > 0.0f && !workbench.posed) return workbench.layerStack.seconds;
  return workbench.clip ? workbench.model.clips[*workbench.clip].seconds : 0.0f;
}

void setClip(Document& document, std::string word) {
  document.settings.clip = std::move(word);
  document.settings.time = 0.0f;
  document.settings.rangeStart = 0.0f;
  document.settings.rangeEnd = 0.0f;
}

float timelineSeconds(const Document& document) {
  if (!holdsPose(document)) return clipSeconds(document);
  const auto clip = clipOnTimeline(document);
  return clip ? document.workbench.model.clips[*clip].seconds : 0.0f;
}

TimeMap timelineRange(const Document& document) {
  const Settings& settings = document.settings;
  if (!holdsPose(document)) return playedRange(document.workbench, getWrap(settings));
  TimeMap range;
  range.wrap = getWrap(settings);
  range.begin = settings.rangeStart;
  range.end = settings.rangeEnd > 0.0f ? settings.rangeEnd : timelineSeconds(document);
  return range;
}

float frameOnTimeline(Document& document) {
  findKeys(document);
  return document.keys.frame;
}

void stepFrames(Document& document, int frames) {
  stepTime(document.settings, timelineRange(document), frameOnTimeline(document), frames);
}

void findKeys(Document& document) {
  ClipKeys& found = document.keys;
  const auto index = clipOnTimeline(document);
  if (found.clip == index && found.node == document.selected &&
      found.revision == document.revisions.model && found.clipRevision == document.revisions.clips)
    return;
  // Sorting them takes milliseconds with motion capture: once a clip, not with every joint.
  const bool same = found.clip == index && found.revision == document.revisions.model &&
                    found.clipRevision == document.revisions.clips;
  found.clip = index;
  found.node = document.selected;
  found.revision = document.revisions.model;
  found.clipRevision = document.revisions.clips;
  found.joint.clear();
  if (!index) {
    found.keys.clear();
    found.frame = kUsualFrame;
    return;
  }
  const Clip& clip = document.workbench.model.clips[*index];
  if (!same) {
    found.keys = keyTimes(clip);
    found.frame = frameSeconds(found.keys);
  }
  if (document.selected) found.joint = keyTimes(clip, *document.selected);
}

void stepKey(Document& document, int direction) {
  findKeys(document);
  const ClipKeys& found = document.keys;
  document.settings.playing = false;
  const TimeMap range = timelineRange(document);
  if (const auto key = nextKey(found.joint.empty() ? found.keys : found.joint,
                               document.settings.time, direction))
    document.settings.time = std::clamp(*key, range.begin, lastMoment(range));
}

void setRangeStart(Document& document, float time) {
  if (!hasRange(document)) return;
  const TimeMap range = playedRange(document.workbench, Wrap::loop);
  document.settings.rangeStart = std::clamp(time, 0.0f, std::max(range.end - 1e-3f, 0.0f));
  document.settings.time = std::max(document.settings.time, document.settings.rangeStart);
}

void setRangeEnd(Document& document, float time) {
  if (!hasRange(document)) return;
  TimeMap range = playedRange(document.workbench, getWrap(document.settings));
  const float seconds = document.workbench.model.clips[*document.workbench.clip].seconds;
  const float end = std::clamp(time, std::min(range.begin + 1e-3f, seconds), seconds);
  document.settings.rangeEnd = end < seconds ? end : 0.0f;
  range.end = end;
  document.settings.time = std::min(document.settings.time, lastMoment(range));
}

void resetRange(Document& document) {
  document.settings.rangeStart = 0.0f;
  document.settings.rangeEnd = 0.0f;
}

const Trail& getTrail(Document& document) {
  const auto clip = clipOnTimeline(document);
  const TimeMap range = timelineRange(document);
  const TrailSource now{
      clip,        document.selected, document.revisions.model, document.revisions.clips,
      range.begin, range.end,         document.settings.root,   getLayers(document.history.now())};
  if (document.trail.source && *document.trail.source == now) return document.trail;
  document.trail = clip && document.selected && !document.crowd && !drafting(document)
                       ? madeTrail(document, *clip)
                       : Trail{};
  document.trail.source = now;
  return document.trail;
}

} // namespace sinew
