#include "editor/pose/editing.h"

#include "editor/document/framing.h"
#include "editor/document/keying.h"
#include "editor/document/views.h"
#include "model/morph_targets.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

MorphWeights& editedWeights(Document& document) {
  Pose& pose = editedPose(document);
  pose.morphWeights = getMorphWeights(document.workbench.model, pose); // also where it had none
  return pose.morphWeights;
}

} // namespace

const MirrorMap& getMirror(const Document& document, PoseEditing& posing) {
  std::optional<MirrorMap>& map = posing.mirror;
  if (!map) map = mirrorMap(document.workbench.model);
  return *map;
}

Pose& editedPose(Document& document) {
  std::optional<Pose>& pose = document.history.live().pose;
  if (pose) return *pose;
  const bool clip = document.workbench.clip.has_value();
  leaveJoint(document);
  document.framing.poseOffset = carriedAway(document);
  document.settings.playing = false;
  pose = document.workbench.pose;
  if (document.autoKey && keyingProblem(document).empty()) return *pose;
  notify(document, clip ? fmt::format("editing the pose at {:.3f} s; Backspace returns to the clip",
                                      document.settings.time)
                        : std::string("editing the pose; Backspace discards it"));
  return *pose;
}

void resetJoint(Document& document) {
  if (!document.selected) {
    notify(document, "select a joint: in the list, or click a bone");
    return;
  }
  const std::uint32_t node = *document.selected;
  editedPose(document).parentFromNode[node] = document.workbench.model.hierarchy.nodes[node].rest;
  commitEdit(document, fmt::format("Reset {}", nodeName(document, node)));
}

void resetPose(Document& document) {
  editedPose(document) = restPose(document.workbench.model);
  commitEdit(document, "Reset the pose");
}

void mirrorPose(Document& document, PoseEditing& posing) {
  const MirrorMap& map = getMirror(document, posing);
  Pose& pose = editedPose(document);
  pose = mirrored(document.workbench.model, map, pose);
  commitEdit(document, "Mirror the pose");
  if (map.without.empty()) return;
  std::vector<std::string> names;
  for (const std::uint32_t node : map.without)
    names.push_back(nodeName(document, node));
  const std::size_t shown = std::min<std::size_t>(names.size(), 8);
  names.resize(shown);
  notify(document, fmt::format("{} joint{} without another side: {}{}", map.without.size(),
                               map.without.size() == 1 ? "" : "s", fmt::join(names, ", "),
                               shown < map.without.size() ? ", ..." : ""));
}

void mirrorJoint(Document& document, PoseEditing& posing) {
  if (!document.selected) {
    notify(document, "select a joint: in the list, or click a bone");
    return;
  }
  const std::uint32_t node = *document.selected;
  const MirrorMap& map = getMirror(document, posing);
  if (map.partner[node] == kNoNode) {
    notify(document, fmt::format("{} has no other side", nodeName(document, node)));
    return;
  }
  Pose& pose = editedPose(document);
  pose = mirroredOnto(document.workbench.model, map, pose, node);
  commitEdit(document, fmt::format("Mirror {} onto {}", nodeName(document, node),
                                   nodeName(document, map.partner[node])));
}

const ZoneShape* selectedZone(const Document& document, PoseEditing& posing) {
  if (!document.selected || document.crowd) return nullptr;
  const Rig& rig = document.workbench.rig;
  const auto joint = zoneJoint(rig, *document.selected);
  if (!joint) return nullptr;
  if (posing.axes.empty()) {
    posing.axes = boneAxes(rig);
    posing.fitted = zonesFromWeights(rig, posing.axes);
  }
  Zone zone = posing.fitted[*joint];
  const JointZone entry = selectedZoneEntry(document);
  zone = {entry.min.value_or(zone.min), entry.max.value_or(zone.max)};
  if (!posing.shape || posing.shape->joint != *joint || posing.shape->zone != zone)
    posing.shape = zoneShape(rig, posing.axes[*joint], zone, *joint);
  return &*posing.shape;
}

bool usesZones(const Document& document) {
  return activeChoice(document).method->usesZones;
}

JointZone selectedZoneEntry(const Document& document) {
  if (!document.selected) return {};
  const ZoneTable& zones = document.history.now().zones;
  const auto found = zones.find(nodeName(document, *document.selected));
  return found != zones.end() ? found->second : JointZone{};
}

void setSelectedZoneEntry(Document& document, const JointZone& entry) {
  ZoneTable& zones = document.history.live().zones;
  const std::string& name = nodeName(document, *document.selected);
  if (entry.empty())
    zones.erase(name);
  else
    zones[name] = entry;
}

MorphWeights shownMorphWeights(const Document& document) {
  const std::optional<Pose>& edited = document.history.now().pose;
  return getMorphWeights(document.workbench.model, edited ? *edited : document.workbench.pose);
}

void setMorphWeight(Document& document, std::uint32_t target, float weight) {
  editedWeights(document)[target] = weight;
}

float shownMorphPose(const Document& document, const MorphPose& pose) {
  const MorphWeights weights = shownMorphWeights(document);
  for (const MorphPoseWeight& each : pose.weights)
    if (each.weight != 0.0f && each.target < weights.size())
      return weights[each.target] / each.weight;
  return 0.0f;
}

void setMorphPose(Document& document, const MorphPose& pose, float strength) {
  MorphWeights& weights = editedWeights(document);
  for (const MorphPoseWeight& each : pose.weights)
    weights[each.target] = shownStrength(pose, strength) * each.weight;
}

void resetMorphWeights(Document& document) {
  editedWeights(document) = restWeights(document.workbench.model);
  commitEdit(document, "Reset the morph targets");
}

} // namespace sinew
