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
      found.revision == document.modelRevision && found.clipRevision == document.clipRevision)
    return;
  // Sorting them takes milliseconds with motion capture: once a clip, not with every joint.
  const bool same = found.clip == index && found.revision == document.modelRevision &&
                    found.clipRevision == document.clipRevision;
  found.clip = index;
  found.node = document.selected;
  found.revision = document.modelRevision;
  found.clipRevision = document.clipRevision;
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

} // namespace sinew
