#include "editor/session.h"

#include "animation/retarget/joint_names.h"
#include "core/error.h"
#include "core/file.h"
#include "editor/document/clip_time.h"
#include "editor/document/framing.h"
#include "editor/document/side_models.h"
#include "editor/document/views.h"
#include "editor/edit_files.h"
#include "editor/importer.h"
#include "editor/motions.h"
#include "editor/preferences.h"
#include "editor/ragdoll/ragdoll_files.h"
#include "editor/unsaved.h"
#include "skinning/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <utility>

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr double kFallSeconds = 0.05; // RagdollPlay::frameSeconds: 20 pictures a second

std::string title(const ModelRequest& request) {
  return fs::path(request.motion.empty() ? request.model : request.motion).filename().string();
}

// A file of motion for the skeleton on screen: no mesh of its own, and at least a quarter of what
// it moves is here by name.
bool isMotionFor(const Model& current, const Model& loaded) {
  if (!loaded.meshes.empty() || loaded.clips.empty() || current.meshes.empty()) return false;
  std::set<std::string> names;
  for (const Node& node : current.hierarchy.nodes)
    names.insert(normalizedJointName(node.name));
  std::size_t moved = 0;
  std::size_t known = 0;
  for (const Clip& clip : loaded.clips)
    for (const Channel& channel : clip.channels) {
      ++moved;
      if (names.contains(normalizedJointName(loaded.hierarchy.nodes[channel.node].name))) ++known;
    }
  return known > 0 && 4 * known >= moved;
}

// Keeps what still makes sense after a reload.
void keepPlace(Document& document, const std::optional<std::string>& joint) {
  Settings& settings = document.settings;
  const Model& model = document.workbench.model;
  const bool held = settings.clip.empty() || settings.clip == "none" || settings.clip == "bind";
  try {
    if (!held) findClip(model, settings.clip);
  } catch (const Error&) {
    notify(document, fmt::format("the clip '{}' is gone from the file", settings.clip));
    setClip(document, {});
  }
  document.applied.settings.clip.clear(); // the import has chosen the first one
  document.selected.reset();
  if (joint) document.selected = findNode(model.hierarchy, *joint);
}

// Another model has other clips and joints. The command line's are for the first model.
void forgetModel(Document& document) {
  setClip(document, {});
  document.settings.weightsJoint.clear();
  document.heatMap = false;
  document.views.divider.reset();
}

// Whether it has a mesh and no skeleton.
bool isBare(const Document& document) {
  return document.joints.empty() && !document.workbench.rig.triangles.empty();
}

// A mixture of methods is of the joints of one model.
void leavePerJoint(Document& document) {
  const auto states = [](const auto& entry) { return !entry.second.method.empty(); };
  if (std::ranges::any_of(document.workbench.zones.table, states)) return;
  for (MethodChoice& choice : document.settings.methods)
    if (choice.method->perJoint) choice = {&findMethod("lbs")};
}

// Shows the model by the method that its file states, if it states one.
void showByOwnMethod(Document& document) {
  const std::string& name = document.workbench.model.skinnedBy;
  if (!name.empty()) document.settings.methods = {{&findMethod(name)}};
}

// Another file is seen as the first one was: from the front, while it plays.
void forgetView(Settings& settings) {
  const Settings fresh;
  settings.yaw = fresh.yaw;
  settings.pitch = fresh.pitch;
  settings.speed = fresh.speed;
  settings.playing = fresh.playing;
}

void selectByWeights(Document& document) {
  document.selected.reset();
  if (document.settings.weightsJoint.empty()) return;
  document.selected = findJoint(document.workbench.model, document.settings.weightsJoint);
  document.heatMap = true;
}

void startStress(Session& session, bool place) {
  Document& document = session.document;
  const bool shown = document.crowd.has_value();
  place |= !shown;
  document.crowd.reset();
  if (session.options.stressVertices == 0 && shown) frameModel(document);
  if (session.options.stressVertices == 0 || document.workbench.rig.triangles.empty()) return;
  document.crowd = makeCrowd(document.workbench, session.options.stressVertices);
  if (place) frame(document.settings, document.orbit, document.crowd->bounds);
}

// What of the editing stays when a model is read: after a reload everything, if its nodes are the
// same; where a motion was put on the model, the layers.
enum class ReloadPolicy { nothing, layers, everything };

void startEditing(Session& session, ReloadPolicy policy) {
  Document& document = session.document;
  const Model& model = document.workbench.model;
  const Edit now = document.history.now();
  Edit opened;
  opened.zones = document.workbench.zones.table;
  opened.layerStack = document.workbench.layerStack;
  if (!document.workbench.drivers.set.empty())
    opened.drivers = std::make_shared<const DriverSet>(document.workbench.drivers.set);
  opened.splines = document.workbench.splines.set;
  session.bind.opened = document.workbench.splines.bare;
  session.paint = startPainting(document, session.paint);
  session.posing = {};
  ++document.discards; // drags under way are of the model before
  document.applied.edit = document.opened.edit = opened;
  // Weights that were made here are for the mesh that was read before.
  if (policy == ReloadPolicy::everything && document.wasBound) {
    notify(document, "the file was read again: what was bound here is discarded");
    policy = ReloadPolicy::layers;
  }
  if (policy == ReloadPolicy::everything && fitsEdit(document.workbench, now))
    return; // history and `saved` continue
  const bool layersSaved = now.layerStack == document.saved.layerStack;
  document.saved = opened;
  document.made = {};
  document.wasBound = false;
  document.framing.poseOffset = vec3(0.0f);
  Edit start = opened;
  if (policy != ReloadPolicy::nothing) {
    start.layerStack =
        layersFor(document, model, now.draft ? now.draft->layerStack : now.layerStack);
    if (layersSaved) document.saved.layerStack = start.layerStack;
  }
  document.history = History<Edit>(start);
}

void announce(Document& document, const ModelRequest& request) {
  const Model& model = document.workbench.model;
  const std::size_t warnings = model.warnings.size();
  if (!request.motion.empty())
    notify(document, fmt::format("motion of {} is on {}", title(request), model.name));
  if (warnings > 0)
    notify(document, fmt::format("{}: {} warning{}, see the report", title(request), warnings,
                                 warnings == 1 ? "" : "s"));
}

// The current model stays. Without one the built-in character fills the window. The request may be
// the one that is being imported.
void fail(Session& session, const ModelRequest& request, ImportFailure failure) {
  ImportState& imports = session.imports;
  imports.failure = std::move(failure);
  imports.failed = request;
  imports.importing.reset();
  if (session.options.unattended) return; // whoever runs it throws the failure
  fmt::print(stderr, "sinew: {}\n", imports.failure->message);
  if (hasModel(session.document) || imports.failed.fallback) return;
  ModelRequest first{{.model = kFirstModel}};
  first.fallback = true;
  openModel(session, std::move(first));
}

void finishImport(Session& session, Imported&& imported) {
  const ModelRequest request = *session.imports.importing;
  if (request.motionIfBare &&
      isMotionFor(session.document.workbench.model, imported.workbench.model))
    return openMotion(session, request.model);
  session.imports.pending = PendingImport{std::move(imported), request};
}

} // namespace

Session makeSession(const Settings& settings, SessionOptions options,
                    const std::function<void()>& wake) {
  Session session;
  session.options = std::move(options);
  session.document.settings = session.document.applied.settings = settings;
  session.imports.importer = std::make_unique<Importer>(wake);
  session.sideImports.importer = std::make_unique<Importer>(wake);
  session.tasks.report = std::make_unique<Task<std::string>>(wake);
  session.tasks.motions = std::make_unique<Task<std::vector<Clip>>>(wake);
  session.tasks.light = std::make_unique<Task<LightPicture>>(wake);
  session.play.frameSeconds = kFallSeconds;
  session.play.fitting = std::make_unique<Task<RagdollFile>>(wake);
  session.tasks.opener = std::make_unique<Task<std::string>>(wake);
  session.figures.program = session.options.program;
  session.figures.job = std::make_unique<Task<ShownFigure>>(wake);
  session.crowdCosts.job = std::make_unique<Task<std::vector<MethodCost>>>(wake);
  session.bind.job = std::make_unique<Task<BindOutcome>>(wake);
  session.check.job = std::make_unique<Task<std::shared_ptr<const Check>>>(wake);
  session.check.repairJob = std::make_unique<Task<MeasuredRepairs>>(wake);
  session.bake.job = std::make_unique<Task<BakeResultShown>>(wake);
  session.rigEdits.job = std::make_unique<Task<RigEditResult>>(wake);
  return session;
}

namespace {

// Views and storage as they were before the crowd.
void takeViews(const Settings& before, Settings& settings) {
  settings.palette = before.palette;
  settings.methods = before.methods;
  settings.difference = before.difference;
  settings.skinOn = before.skinOn;
}

void leaveCrowd(Session& session) {
  if (!session.beforeCrowd) return;
  takeViews(*std::exchange(session.beforeCrowd, std::nullopt), session.document.settings);
  session.options.stressVertices = 0;
}

} // namespace

void acceptImport(Session& session) {
  PendingImport pending = std::move(*session.imports.pending);
  session.imports.pending.reset();
  const ModelRequest& request = pending.request;
  Document& document = session.document;
  const bool first = !hasModel(document);
  const bool again = request.model == document.loaded.model;
  const bool moved = !first && !request.motion.empty() && again;
  const bool exchanged = findSideModel(document, request.beside) != nullptr;
  const ModelRequest before = document.loaded;
  const bool wasBare = isBare(document);
  if (request.model != kFirstModel) endGuide(session);
  forgetBakedView(document);
  if (!request.reload) leaveCrowd(session);
  std::optional<std::string> joint;
  if (document.selected && request.reload) joint = nodeName(document, *document.selected);
  session.imports.importing.reset();
  forgetBinding(document, session.bind);
  cancelBaking(session.bake);
  session.bake.last.reset();
  forgetRigEdit(session.rigEdits);
  replaceWorkbench(document, std::move(pending.imported.workbench));
  // What the import has bound; applySettings() catches up with what was changed meanwhile.
  document.applied.settings.methods = session.imports.settings.methods;
  document.applied.settings.parameters = session.imports.settings.parameters;
  document.applied.settings.influences = session.imports.settings.influences;
  document.applied.settings.difference = session.imports.settings.difference;
  document.joints = jointNodes(document.workbench.model);
  document.opened.velocity = document.workbench.moving.map;
  document.loaded = request;
  session.imports.watch =
      request.model.starts_with("demo:") ? FileWatch{} : watchFile(request.model);
  if (!request.fallback) session.imports.failure.reset();
  if (request.reload) {
    keepPlace(document, joint);
  } else {
    const float time = document.settings.time;
    if (!first) forgetModel(document);
    if (!first && !again && !exchanged) {
      forgetView(document.settings);
      leavePerJoint(document);
    }
    if (first ? session.options.ownMethod : !again && !exchanged) showByOwnMethod(document);
    if (exchanged) {
      document.settings.clip = request.clip;
      document.settings.time = time;
    }
    document.applied.settings.clip = document.settings.clip;
    document.framing.bounds = pending.imported.bounds;
    frame(document.settings, document.orbit, document.framing.bounds);
    arrangeSideModels(document);
    document.framing.center = jointCenter(document);
    selectByWeights(document);
  }
  startEditing(session, request.reload ? ReloadPolicy::everything
                        : moved        ? ReloadPolicy::layers
                                       : ReloadPolicy::nothing);
  if (!request.reload && !session.options.unattended) {
    if (isBare(document))
      document.notices.topic = Topic::binding;
    else if (wasBare)
      document.notices.topic = Topic::look;
  }
  forgetRagdoll(document, session.play);
  startStress(session, !request.reload);
  forgetCrowdCosts(session);
  if (session.beforeCrowd && !session.options.unattended) startCrowdCosts(session);
  if (first && !session.options.pose.empty()) holdSavedPose(session);
  if (first && !session.options.morphs.empty()) holdGivenMorphs(session);
  document.clock = {static_cast<double>(document.settings.time), document.settings.time};
  document.stale = true;
  announce(document, request);
  if (!request.recovery.empty()) restoreEdits(session, request.recovery);
  document.loaded.recovery.clear();
  if (exchanged) exchangeSideModel(session, request, before);
  document.loaded.clip.clear();
  document.loaded.beside = 0;
  if (!request.model.starts_with("demo:")) addRecent(session.recent, request.model);
}

void rejectImport(Session& session, const Error& error) {
  const ModelRequest request = session.imports.pending->request;
  session.imports.pending.reset();
  fail(session, request, {error.what(), error.cause()});
}

// The picture stays until the model is read: it may not be readable.
void openModel(Session& session, ModelRequest request) {
  Document& document = session.document;
  Settings settings = document.settings;
  if (!request.reload && session.beforeCrowd) takeViews(*session.beforeCrowd, settings);
  settings.methods = withoutBaked(std::move(settings.methods));
  if (request.reload || hasModel(document)) {
    settings.clip = request.clip;
    settings.time = settings.rangeStart = settings.rangeEnd = 0.0f;
    settings.weightsJoint.clear();
  }
  if (!request.fallback) session.imports.failure.reset();
  session.imports.pending.reset();
  session.imports.settings = settings;
  session.imports.importer->start(title(request), loadForSession(request, settings));
  session.imports.importing = std::move(request);
}

static void readAgain(Session& session) {
  ModelRequest request = session.document.loaded;
  request.reload = true;
  openModel(session, std::move(request));
}

void reloadModel(Session& session) {
  const ImportState& imports = session.imports;
  if (!imports.failure && !hasModel(session.document)) return;
  if (imports.failure) return openModel(session, imports.failed);
  // All other edits stay.
  if (!session.document.wasBound) return readAgain(session);
  confirmDiscard(session, "Read the file again", readAgain);
}

// Whether reading the model's file again would discard work on mesh, weights, splines or keys.
static bool changedBeyondFile(const Document& document) {
  const Edit& now = document.history.now();
  return now.model || now.weights != PaintedRig{} || now.splines != document.saved.splines ||
         now.clips != document.saved.clips;
}

void putMotion(Session& session, const std::string& file, const MotionMap& map) {
  Document& document = session.document;
  const bool again = file == document.loaded.motion; // the same motion with another map
  if (changedBeyondFile(document)) {
    if (!again) return playMotionFile(session, file, map);
    return notify(document, "reading the motion again would discard unsaved work: save it and "
                            "open the model again first");
  }
  ModelRequest request{static_cast<const ModelSources&>(document.loaded)};
  request.layers.clear();
  request.motion = file;
  request.motionMap = map;
  if (again) request.motionMapSaved = document.loaded.motionMapSaved;
  request.reload = again;
  openModel(session, std::move(request));
}

void openMotion(Session& session, const std::string& file) {
  putMotion(session, file, {});
}

void openFile(Session& session, const std::string& file) {
  if (getExtension(file) == ".tgf") return openSkeleton(session.document, session.bind, file);
  if (openEdits(session, file)) return;
  confirmDiscard(session, fmt::format("Open {}", fs::path(file).filename().string()),
                 [file](Session& s) {
                   ModelRequest request{{.model = file}};
                   request.motionIfBare = true;
                   openModel(s, std::move(request));
                 });
}

void cancelImport(Session& session) {
  ImportState& imports = session.imports;
  imports.importer->cancel();
  imports.pending.reset();
  if (imports.importing)
    notify(session.document, fmt::format("reading {} was cancelled", title(*imports.importing)));
  imports.importing.reset();
}

bool pollImport(Session& session, double now) {
  ImportState& imports = session.imports;
  if (auto result = imports.importer->take()) {
    if (auto* imported = std::get_if<Imported>(&*result))
      finishImport(session, std::move(*imported));
    else
      fail(session, *imports.importing, std::get<ImportFailure>(*result));
    return true;
  }
  if (pollRagdollFile(session.document, session.play, now)) return true;
  FileWatch& watch = imports.watch;
  if (watch.path.empty() || imports.importing) return false;
  if (!settledChange(watch, readStamp(watch.path), now)) return false;
  const std::string changed = title(session.document.loaded) + " has changed";
  if (session.document.wasBound && !unsavedWork(session).empty()) {
    notify(session.document, changed + ": F5 reads it again, without what was bound here");
    return true;
  }
  notify(session.document, changed + ": read again");
  readAgain(session);
  return true;
}

void toggleCrowd(Session& session, std::size_t vertices) {
  if (!hasModel(session.document)) return;
  confirmDiscard(session, "Show a crowd", [vertices](Session& s) {
    Document& document = s.document;
    Settings& settings = document.settings;
    if (s.beforeCrowd) {
      leaveCrowd(s);
    } else if (document.crowd) { // the command line has asked for it
      s.options.stressVertices = 0;
      settings.palette = PaletteStorage::automatic;
    } else {
      s.beforeCrowd = settings;
      s.options.stressVertices = vertices;
      settings.palette = PaletteStorage::texture;
      settings.methods = {activeChoice(document)};
      settings.difference.reset();
      if (settings.skinOn == SkinOn::automatic) settings.skinOn = SkinOn::vertexShader;
    }
    readAgain(s);
  });
}

bool dismiss(Session& session) {
  if (discardOpenEdit(session.document)) return true;
  if (std::exchange(session.splines.dragged, std::nullopt)) {
    ++session.document.discards;
    return true;
  }
  if (session.imports.failure)
    session.imports.failure.reset();
  else if (session.imports.importing)
    cancelImport(session);
  else if (isReadingSideModels(session))
    cancelSideModels(session);
  else if (binding(session.bind))
    cancelBinding(session.document, session.bind);
  else if (session.bake.job->running())
    cancelBaking(session.bake);
  else if (session.rigEdits.job->running())
    cancelRigEdit(session);
  else if (session.check.job->running())
    session.check.job->cancel();
  else if (fittingRagdoll(session.play))
    cancelFitting(session.document, session.play);
  else if (session.document.selected)
    selectJoint(session.document, std::nullopt);
  else
    return false;
  return true;
}

} // namespace sinew
