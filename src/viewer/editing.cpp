#include "viewer/editing.h"

#include "animation/movement_json.h"
#include "viewer/bind.h"
#include "viewer/paint_tool.h"
#include "viewer/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

bool sameNodes(const Pose& pose, const Hierarchy& hierarchy) {
  return pose.parentFromNode.size() == hierarchy.nodes.size();
}

bool knows(const Model& model, const ZoneTable& zones) {
  return std::all_of(zones.begin(), zones.end(), [&](const auto& each) {
    return findNode(model.hierarchy, each.first).has_value();
  });
}

bool suits(const Model& model, const Movement& movement) {
  return std::all_of(movement.layers.begin(), movement.layers.end(),
                     [&](const Layer& layer) { return problemOf(model, layer).empty(); });
}

// Layers that the model cannot have are said and not played.
void applyMovement(Viewer& viewer, const Movement& movement) {
  viewer.bench.movement = movement;
  viewer.bench.memory.time = kNever; // springs are those of these layers
  viewer.stale = true;
  std::string said;
  for (Layer& layer : viewer.bench.movement.layers)
    if (const std::string problem = problemOf(viewer.bench.model, layer); !problem.empty()) {
      layer.on = false;
      if (said.empty()) said = fmt::format("layer '{}': {}", layer.name, problem);
    }
  if (!said.empty()) toast(viewer, said);
}

const std::string& nameOf(const Viewer& viewer, std::uint32_t node) {
  return viewer.bench.model.hierarchy.nodes[node].name;
}

} // namespace

const MirrorMap& mirrorOf(Viewer& viewer) {
  std::optional<MirrorMap>& map = viewer.edit.mirror;
  if (!map) map = mirrorMap(viewer.bench.model);
  return *map;
}

Movement layersFor(Viewer& viewer, const Model& model, const Movement& movement) {
  Movement fit = movement;
  std::vector<std::string> left;
  std::erase_if(fit.layers, [&](const Layer& layer) {
    const std::string problem = problemOf(model, layer);
    if (!problem.empty()) left.push_back(fmt::format("'{}' ({})", layer.name, problem));
    return !problem.empty();
  });
  if (!left.empty())
    toast(viewer, fmt::format("{} layer{} left out: {}", left.size(),
                              left.size() == 1 ? " is" : "s are", fmt::join(left, ", ")));
  return fit;
}

void startEditing(Viewer& viewer, Kept kept) {
  Editing fresh;
  fresh.tools.tool = viewer.edit.tools.tool;
  fresh.tools.axes = viewer.edit.tools.axes;
  fresh.paint = startPainting(viewer);
  fresh.applied.zones = viewer.bench.zones.table;
  fresh.applied.movement = viewer.bench.movement;
  fresh.history = History<Edit>(fresh.applied);
  fresh.saved = fresh.applied;
  const Edit& now = viewer.edit.history.now();
  const Model& model = viewer.bench.model;
  // Weights that were made here are for the mesh that was: they go with it.
  if (kept == Kept::everything && viewer.edit.everBound) {
    toast(viewer, "the file was read anew: what was bound here is gone");
    kept = Kept::layers;
  }
  if (kept == Kept::everything && knows(model, now.zones) && fitsModel(now.weights, viewer) &&
      suits(model, now.movement) && (!now.pose || sameNodes(*now.pose, model.hierarchy))) {
    fresh.history = std::move(viewer.edit.history);
    fresh.saved = std::move(viewer.edit.saved);
    fresh.away = viewer.edit.away;
  } else if (kept != Kept::nothing) {
    Edit start = fresh.applied;
    start.movement = layersFor(viewer, model, now.draft ? now.draft->movement : now.movement);
    if (now.movement == viewer.edit.saved.movement) fresh.saved.movement = start.movement;
    fresh.history = History<Edit>(start);
  }
  viewer.edit = std::move(fresh);
}

bool posing(const Viewer& viewer) {
  return viewer.edit.history.now().pose.has_value();
}

Pose& editedPose(Viewer& viewer) {
  std::optional<Pose>& pose = viewer.edit.history.live().pose;
  if (pose) return *pose;
  const bool clip = viewer.bench.clip.has_value();
  viewer.edit.away = carriedAway(viewer);
  viewer.settings.playing = false;
  pose = viewer.bench.pose;
  toast(viewer, clip ? fmt::format("editing the pose at {:.3f} s; Backspace returns to the clip",
                                   viewer.settings.time)
                     : std::string("editing the pose; Backspace lets it go"));
  return *pose;
}

void releasePose(Viewer& viewer) {
  if (!posing(viewer)) return;
  viewer.edit.history.live().pose.reset();
  commitEdit(viewer, "Back to the clip");
}

void commitEdit(Viewer& viewer, std::string what) {
  viewer.edit.history.commit(std::move(what));
}

bool takeBackEdit(Viewer& viewer) {
  Editing& edit = viewer.edit;
  if (!edit.history.open()) return false;
  edit.history.drop();
  edit.tools.turning.reset();
  edit.tools.moving.reset();
  edit.tools.widening.reset();
  edit.tools.readout.clear();
  edit.targets.drag.reset();
  edit.paint.stroke.reset();
  toast(viewer, "taken back");
  return true;
}

void undoEdit(Viewer& viewer) {
  if (takeBackEdit(viewer)) return;
  if (!viewer.edit.history.canUndo()) return;
  toast(viewer, fmt::format("undone: {}", viewer.edit.history.undoWord()));
  viewer.edit.history.undo();
  if (posing(viewer)) viewer.settings.playing = false;
}

void redoEdit(Viewer& viewer) {
  if (takeBackEdit(viewer)) return;
  if (!viewer.edit.history.canRedo()) return;
  toast(viewer, fmt::format("done again: {}", viewer.edit.history.redoWord()));
  viewer.edit.history.redo();
  if (posing(viewer)) viewer.settings.playing = false;
}

void resetJoint(Viewer& viewer) {
  if (!viewer.selected) {
    toast(viewer, "select a joint: in the list, or click a bone");
    return;
  }
  const std::uint32_t node = *viewer.selected;
  editedPose(viewer).parentFromNode[node] = viewer.bench.model.hierarchy.nodes[node].rest;
  commitEdit(viewer, fmt::format("Reset {}", nameOf(viewer, node)));
}

void resetPose(Viewer& viewer) {
  editedPose(viewer) = restPose(viewer.bench.model.hierarchy);
  commitEdit(viewer, "Reset the pose");
}

void mirrorPose(Viewer& viewer) {
  const MirrorMap& map = mirrorOf(viewer);
  Pose& pose = editedPose(viewer);
  pose = mirrored(viewer.bench.model, map, pose);
  commitEdit(viewer, "Mirror the pose");
  if (map.without.empty()) return;
  std::vector<std::string> names;
  for (const std::uint32_t node : map.without)
    names.push_back(nameOf(viewer, node));
  const std::size_t shown = std::min<std::size_t>(names.size(), 8);
  names.resize(shown);
  toast(viewer, fmt::format("{} joint{} without another side: {}{}", map.without.size(),
                            map.without.size() == 1 ? "" : "s", fmt::join(names, ", "),
                            shown < map.without.size() ? ", ..." : ""));
}

void mirrorJoint(Viewer& viewer) {
  if (!viewer.selected) {
    toast(viewer, "select a joint: in the list, or click a bone");
    return;
  }
  const std::uint32_t node = *viewer.selected;
  const MirrorMap& map = mirrorOf(viewer);
  if (map.partner[node] == kNoNode) {
    toast(viewer, fmt::format("{} has no other side", nameOf(viewer, node)));
    return;
  }
  Pose& pose = editedPose(viewer);
  pose = mirroredOnto(viewer.bench.model, map, pose, node);
  commitEdit(viewer, fmt::format("Mirror {} onto {}", nameOf(viewer, node),
                                 nameOf(viewer, map.partner[node])));
}

const ZoneShape* selectedZone(Viewer& viewer) {
  if (!viewer.selected || viewer.crowd) return nullptr;
  const Rig& rig = viewer.bench.rig;
  const auto joint = zoneJoint(rig, *viewer.selected);
  if (!joint) return nullptr;
  Editing& edit = viewer.edit;
  if (edit.axes.empty()) {
    edit.axes = boneAxes(rig);
    edit.fitted = zonesFromWeights(rig, edit.axes);
  }
  Zone zone = edit.fitted[*joint];
  const JointZone said = saidOfSelected(viewer);
  zone = {said.min.value_or(zone.min), said.max.value_or(zone.max)};
  if (!edit.shape || edit.shape->joint != *joint || edit.shape->zone != zone)
    edit.shape = zoneShape(rig, edit.axes[*joint], zone, *joint);
  return &*edit.shape;
}

JointZone saidOfSelected(const Viewer& viewer) {
  if (!viewer.selected) return {};
  const ZoneTable& zones = viewer.edit.history.now().zones;
  const auto found = zones.find(nameOf(viewer, *viewer.selected));
  return found != zones.end() ? found->second : JointZone{};
}

void sayOfSelected(Viewer& viewer, const JointZone& said) {
  ZoneTable& zones = viewer.edit.history.live().zones;
  const std::string& name = nameOf(viewer, *viewer.selected);
  if (said.empty())
    zones.erase(name);
  else
    zones[name] = said;
}

bool applyEdits(Viewer& viewer) {
  Editing& edit = viewer.edit;
  if (viewer.settings.clip != viewer.applied.clip) releasePose(viewer); // another clip was chosen
  const bool rebuilt = applyModel(viewer);
  const Edit& now = edit.history.now();
  if (now.pose != edit.applied.pose || (rebuilt && now.pose)) {
    if (now.pose) {
      viewer.bench.clip.reset();
      viewer.bench.pose = *now.pose;
      viewer.bench.posed = true;
    } else if (viewer.settings.clip == viewer.applied.clip) {
      chooseClip(viewer.bench, viewer.settings);
    }
    viewer.stale = true;
  }
  if (rebuilt || now.movement != edit.applied.movement) applyMovement(viewer, now.movement);
  const bool zones = !rebuilt && now.zones != edit.applied.zones;
  if (zones) viewer.bench.zones.table = now.zones;
  PaintedRig was = std::exchange(edit.applied, now).weights;
  if (rebuilt) { // the rig has its model's own weights
    edit.paint = startPainting(viewer);
    was = {};
  }
  applyPaint(viewer, was);
  return zones;
}

} // namespace sinew
