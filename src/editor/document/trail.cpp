#include "editor/document/trail.h"

#include "editor/document/clip_time.h"
#include "editor/document/keying.h"

#include <algorithm>

namespace sinew {
namespace {

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

const Trail& getTrail(Document& document) {
  const auto clip = clipOnTimeline(document);
  const TimeMap range = timelineRange(document);
  const TrailSource now{
      clip,        document.selected, document.modelRevision, document.clipRevision,
      range.begin, range.end,         document.settings.root, getLayers(document.history.now())};
  if (document.trail.source && *document.trail.source == now) return document.trail;
  document.trail = clip && document.selected && !document.crowd && !drafting(document)
                       ? madeTrail(document, *clip)
                       : Trail{};
  document.trail.source = now;
  return document.trail;
}

} // namespace sinew
