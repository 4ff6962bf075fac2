#include "editor/apply.h"

#include "animation/layers/layer_stack.h"
#include "core/error.h"
#include "editor/document/clip_time.h"
#include "editor/document/framing.h"
#include "editor/document/keying.h"
#include "editor/document/side_models.h"
#include "editor/pose/driving.h"
#include "editor/rig_edits.h"

#include <fmt/format.h>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew {
namespace {

void selectByName(Document& document, const std::optional<std::string>& name) {
  document.selected.reset();
  if (!name) return;
  const auto node = findNode(document.workbench.model.hierarchy, *name);
  if (node && std::binary_search(document.joints.begin(), document.joints.end(), *node))
    document.selected = node;
}

// The draft's joints in the place of the workbench's: a skin no mesh uses, posed as it binds. Rig
// and meshes stay, for they are children of the root.
void showDraft(Document& document, const Skeleton& skeleton) {
  Workbench& workbench = document.workbench;
  Skin skin;
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j)
    skin.joints.push_back({skeleton.joints[j], glm::inverse(skeleton.modelFromJoint[j])});
  workbench.model.hierarchy = skeleton.hierarchy;
  workbench.model.skins = {std::move(skin)};
  workbench.clip.reset();
  workbench.posed = true;
  workbench.pose = bindPose(workbench.model);
  modelFromNodes(workbench.model.hierarchy, workbench.pose, workbench.modelFromNode);
  document.joints = skeleton.joints;
}

void replaceModel(Document& document, BindState& bind, const Edit& now) {
  if (!bind.opened) {
    Model opened = document.workbench.model;
    if (document.applied.edit.clips) { // the workbench has the edited clips
      opened.clips.clear();
      for (const auto& clip : openedClips(document))
        opened.clips.push_back(*clip);
    }
    bind.opened = std::make_shared<const Model>(std::move(opened));
  }
  Settings& settings = document.settings;
  const std::shared_ptr<const Model> bare = now.model ? now.model : bind.opened;
  Model model = *bare;
  LaidSplines laid{now.splines, now.splines ? bare : nullptr, document.workbench.splines.path};
  if (laid.set) putSplines(model, *laid.set);
  Settings wanted = settings;
  wanted.weightsJoint.clear();
  if (now.draft) wanted.clip = "none";
  const bool named = !wanted.clip.empty() && wanted.clip != "none" && wanted.clip != "bind";
  try {
    if (named) findClip(model, wanted.clip);
  } catch (const Error&) {
    wanted.clip = settings.clip = "";
  }
  Workbench workbench =
      makeWorkbench(std::move(model), wanted, {now.zones, document.workbench.zones.path});
  workbench.splines = std::move(laid);
  workbench.drivers.path = document.workbench.drivers.path;
  setVelocityMap(workbench, document.opened.velocity);
  if (now.model == document.applied.edit.model) { // the same with other splines
    workbench.motion = document.workbench.motion;
    workbench.heldMorphs = document.workbench.heldMorphs;
  }
  replaceWorkbench(document, std::move(workbench));
  document.joints = jointNodes(document.workbench.model);
}

// The history's model and draft; true if the model is another.
bool applyModel(Session& session) {
  Document& document = session.document;
  BindState& bind = session.bind;
  const Edit now = document.history.shown();
  const bool another =
      now.model != document.applied.edit.model || now.splines != document.applied.edit.splines;
  if (!another && now.draft == document.applied.edit.draft) return false;
  if (bind.compared && bind.compared->draft != now.draft) showCompared(document, bind, false);
  std::optional<std::string> name = std::exchange(bind.select, std::nullopt);
  if (!name && document.selected) name = nodeName(document, *document.selected);
  document.selected.reset(); // an index of the former nodes
  if (another) {
    forgetRagdoll(document, session.play); // its bodies belong to the former joints
    try {
      replaceModel(document, bind, now);
    } catch (const Error& problem) {
      revertModel(session, problem);
      return false;
    }
  }
  if (now.draft) showDraft(document, now.draft->skeleton);
  selectByName(document, name);
  session.posing = {};
  ++document.revisions.model;
  ++document.revisions.weights;
  document.stale = true;
  if (another) document.framing.center = jointCenter(document);
  return another;
}

// Layers that the model cannot have are reported and not played.
void applyLayers(Document& document, const LayerStack& layers) {
  document.workbench.layerStack = layers;
  document.workbench.memory.time = kNever; // springs are those of these layers
  document.stale = true;
  std::string first;
  for (Layer& layer : document.workbench.layerStack.layers)
    if (const std::string problem = findProblem(document.workbench.model, layer);
        !problem.empty()) {
      layer.on = false;
      if (first.empty()) first = fmt::format("layer '{}': {}", layer.name, problem);
    }
  if (!first.empty()) notify(document, first);
}

// The history's value; true if zones have changed and the methods are to be bound again.
bool applyEdits(Session& session) {
  Document& document = session.document;
  Edit& applied = document.applied.edit;
  if (document.settings.clip != document.applied.settings.clip)
    releasePose(document); // another was chosen
  const bool rebuilt = applyModel(session);
  if (rebuilt) applied.clips.reset(); // the workbench has its model's own
  applyClips(document);
  const Edit& now = document.history.shown();
  if (now.pose != applied.pose || (rebuilt && now.pose)) {
    if (now.pose) {
      document.workbench.clip.reset();
      document.workbench.pose = *now.pose;
      MorphWeights& weights = document.workbench.pose.morphWeights;
      if (!weights.empty()) weights.resize(document.workbench.model.morphTargets.size(), 0.0f);
      document.workbench.posed = true;
    } else if (document.settings.clip == document.applied.settings.clip) {
      chooseClip(document.workbench, document.settings);
    }
    document.stale = true;
  }
  if (rebuilt || now.layerStack != applied.layerStack) applyLayers(document, now.layerStack);
  if (rebuilt || now.drivers != applied.drivers) applyDrivers(document);
  const bool zones = !rebuilt && now.zones != applied.zones;
  if (zones) document.workbench.zones.table = now.zones;
  Edit was = std::exchange(applied, now);
  if (rebuilt) { // the rig has its model's own weights
    session.paint = startPainting(document, session.paint);
    was.weights = {};
    was.velocityJoints = {};
  }
  applyPaint(document, session.paint, was);
  return zones;
}

void applyBinding(Document& document, bool zones) {
  const Settings& now = document.settings;
  const Settings& was = document.applied.settings;
  MeshChanges& changes = document.changes;
  const bool bind = now.methods != was.methods || now.influences != was.influences ||
                    now.parameters != was.parameters || now.difference != was.difference ||
                    now.drag != was.drag || now.squash != was.squash || zones;
  if (bind) {
    // What painting has marked names methods by their former place in the list.
    changes.storage |= changes.bindings || !changes.vertices.empty();
    changes.vertices.clear();
    changes.methods = rebind(document.workbench, now);
    changes.bindings = true;
  }
  const bool store = now.palette != was.palette || now.skinOn != was.skinOn;
  changes.storage |= store;
  if (!bind && !store) return;
  document.stale = true;
  // A crowd packs its own palettes; the meshes are created with the one of the workbench.
  evaluate(document.workbench, playedTime(document.clock, now.time), getWrap(now));
}

bool sameRange(const Settings& now, const Settings& was) {
  return now.rangeStart == was.rangeStart && now.rangeEnd == was.rangeEnd && now.root == was.root;
}

// Another clip, or another part of it.
void applyClip(Document& document) {
  if (drafting(document)) return; // shown in the pose in which it will be bound
  Settings& now = document.settings;
  const Settings& was = document.applied.settings;
  const bool other = now.clip != was.clip;
  if (!other && sameRange(now, was)) return;
  document.stale = true;
  if (holdsPose(document)) return; // chosen when the pose is released
  const bool fades =
      other && now.playing && now.fade > 0.0f && !document.crowd && !document.workbench.posed;
  if (fades)
    fadeToClip(document.workbench, now, static_cast<double>(now.time),
               playedTime(document.clock, was.time), now.fade);
  else
    chooseClip(document.workbench, now);
  if (other) {
    now.time = wrapTime(now.time, clipSeconds(document), Wrap::loop);
    document.clock = {static_cast<double>(now.time), now.time};
  }
  if (document.crowd)
    for (CrowdMember& member : document.crowd->members) {
      member.clip = document.workbench.clip;
      member.memory = {};
    }
}

// The joint that the heat map is about.
std::string heatMapJoint(const Document& document, const BindState& bind) {
  if (!document.selected) return {};
  if (comparing(document, bind)) {
    const auto& joints = bind.compared->draft->skeleton.joints;
    const bool known = std::binary_search(joints.begin(), joints.end(), *document.selected);
    return known ? nodeName(document, *document.selected) : std::string();
  }
  const bool free = !document.settings.difference; // else those colours are shown
  return document.heatMap && free && !drafting(document) ? nodeName(document, *document.selected)
                                                         : std::string();
}

void applyHeatMap(Document& document, PaintState& paint, const BindState& bind) {
  Settings& settings = document.settings;
  settings.weightsJoint = heatMapJoint(document, bind);
  const Settings& was = document.applied.settings;
  document.changes.field |=
      settings.boneColors && (!was.boneColors || settings.weightsJoint != was.weightsJoint);
  if (settings.weightsJoint.empty()) return;
  const bool splines = painting(document) && (paint.choices.splines || paint.choices.velocity);
  document.changes.field |= splines || paint.shown != paint.version ||
                            settings.weightsJoint != document.applied.settings.weightsJoint;
  paint.shown = splines ? 0 : paint.version; // a spline's colours are not those of the joint
}

} // namespace

namespace {

// Zones to which a method cannot be bound are undone.
void revertZones(Document& document, const ZoneTable& shown) {
  if (document.workbench.zones.table == shown) return;
  document.workbench.zones.table = shown;
  if (document.history.previewing())
    document.history.endPreview();
  else
    document.history.undo();
  document.applied.edit.zones = document.history.now().zones;
}

} // namespace

// Whether the document's own pose changes with the time.
static bool plays(const Document& document) {
  if (document.crowd || clipSeconds(document) > 0.0f) return true;
  const Workbench& workbench = document.workbench;
  return !holdsPose(document) &&
         (!workbench.layerStack.layers.empty() || !workbench.memory.fade.empty());
}

bool moving(const Session& session) {
  const Document& document = session.document;
  if (document.settings.turntable || ragdollMoves(session.play)) return true;
  return document.settings.playing && (plays(document) || sideModelsPlay(document));
}

void applySettings(Session& session) {
  Document& document = session.document;
  if (!hasModel(document)) return;
  if (!bakedFits(session)) forgetBakedView(document);
  const ZoneTable shownZones = document.workbench.zones.table;
  try {
    applyBinding(document, applyEdits(session));
    applyClip(document);
    applyHeatMap(document, session.paint, session.bind);
  } catch (const Error& error) {
    revertZones(document, shownZones);
    revertSettings(document, document.applied.settings, error);
  }
  const Settings& settings = document.settings;
  document.stale |= settings.time != document.applied.settings.time ||
                    getWrap(settings) != getWrap(document.applied.settings);
  document.applied.settings = settings;
}

void revertSettings(Document& document, const Settings& shown, const Error& error) {
  notify(document, error.what());
  Settings& settings = document.settings;
  settings.methods = shown.methods;
  settings.influences = shown.influences;
  settings.parameters = shown.parameters;
  settings.palette = shown.palette;
  settings.clip = shown.clip;
  settings.rangeStart = shown.rangeStart;
  settings.rangeEnd = shown.rangeEnd;
  settings.difference = shown.difference;
  rebind(document.workbench, settings);
  evaluate(document.workbench, playedTime(document.clock, settings.time), getWrap(settings));
  document.changes.storage = true;
  document.stale = true;
}

void revertModel(Session& session, const Error& error) {
  session.document.history.undo();
  session.bind.problem = error.what();
  notify(session.document, error.what());
}

void advanceSession(Session& session, float seconds) {
  followMatches(session);
  Document& document = session.document;
  Settings& settings = document.settings;
  if (settings.turntable) settings.yaw = std::remainder(settings.yaw + 30.0f * seconds, 360.0f);
  if (settings.playing && document.crowd) document.crowdSeconds += seconds * settings.speed;
  applySettings(session);
  advanceGuide(session);
  if (moving(session) && settings.playing) {
    advance(settings, document.clock, playedRange(document.workbench, getWrap(settings)), seconds);
    advanceFade(document.workbench.memory.fade, seconds);
    document.applied.settings.time = settings.time;
    document.stale |= plays(document);
  }
  advanceRagdoll(document, session.play, seconds);
  followDocument(document);
  if (!document.stale || !hasModel(document)) return;
  document.stale = false;
  document.changes.pose = true;
  if (document.crowd)
    evaluateCrowd(document.workbench, document.workbench.bound.front(), *document.crowd,
                  document.crowdSeconds);
  else if (!poseByRagdoll(document, session.play))
    evaluate(document.workbench, playedTime(document.clock, settings.time), getWrap(settings));
}

std::vector<float> computeHeatMap(Session& session, std::size_t view) {
  const Document& document = session.document;
  if (comparing(document, session.bind)) return comparedWeights(document, session.bind, view);
  return paintedField(document, session.paint);
}

} // namespace sinew
