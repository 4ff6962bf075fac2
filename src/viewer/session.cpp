#include "viewer/session.h"

#include "animation/joint_names.h"
#include "core/error.h"
#include "viewer/bind.h"
#include "viewer/load.h"
#include "viewer/recent_files.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <utility>

namespace sinew {
namespace {

namespace fs = std::filesystem;

std::string title(const ImportRequest& request) {
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

// After a reload: keeps what still makes sense.
void keepPlace(Viewer& viewer, const std::optional<std::string>& joint) {
  Settings& settings = viewer.settings;
  const Model& model = viewer.bench.model;
  const bool held = settings.clip.empty() || settings.clip == "none" || settings.clip == "bind";
  try {
    if (!held) findClip(model, settings.clip);
  } catch (const Error&) {
    toast(viewer, fmt::format("the clip '{}' is gone from the file", settings.clip));
    setClip(viewer, {});
  }
  viewer.applied.clip.clear(); // the import has chosen the first one
  viewer.selected.reset();
  if (joint) viewer.selected = findNode(model.hierarchy, *joint);
}

// Another model has other clips and joints. Those of the command line are for the first one.
void forgetModel(Viewer& viewer) {
  setClip(viewer, {});
  viewer.settings.weightsOf.clear();
  viewer.heatMap = false;
}

void selectByWeights(Viewer& viewer) {
  viewer.selected.reset();
  if (viewer.settings.weightsOf.empty()) return;
  viewer.selected = findJoint(viewer.bench.model, viewer.settings.weightsOf);
  viewer.heatMap = true;
}

void startStress(Viewer& viewer, bool place) {
  viewer.crowd.reset();
  if (viewer.options.stressVertices == 0 || viewer.bench.rig.triangles.empty()) return;
  viewer.crowd = makeCrowd(viewer.bench, viewer.options.stressVertices);
  if (place) frame(viewer.settings, viewer.orbit, viewer.crowd->bounds);
}

// The one step in which a new model takes the place of the old one.
void adopt(Viewer& viewer, Imported&& imported, const ImportRequest& request) {
  const bool first = !hasModel(viewer);
  const bool moved = !first && !request.motion.empty() && request.model == viewer.loaded.model;
  std::optional<std::string> joint;
  if (viewer.selected && request.reload)
    joint = viewer.bench.model.hierarchy.nodes[*viewer.selected].name;
  forgetBinding(viewer);
  exchangeBench(viewer, std::move(imported.bench));
  // What the import has bound; applySettings() catches up with what was changed meanwhile.
  viewer.applied.method = request.method;
  viewer.applied.parameters = request.parameters;
  viewer.applied.influences = request.influences;
  viewer.applied.difference = request.difference;
  viewer.joints = jointNodes(viewer.bench.model);
  viewer.loaded = request;
  viewer.watch = request.model.starts_with("demo:") ? FileWatch{} : watchFile(request.model);
  if (!request.fallback) viewer.failure.reset();
  if (request.reload) {
    keepPlace(viewer, joint);
  } else {
    if (!first) forgetModel(viewer);
    viewer.applied.clip = viewer.settings.clip;
    frame(viewer.settings, viewer.orbit, imported.bounds);
    viewer.framedAt = jointCenter(viewer);
    selectByWeights(viewer);
  }
  startEditing(viewer, request.reload ? Kept::everything : moved ? Kept::layers : Kept::nothing);
  const bool bare = viewer.joints.empty() && !viewer.bench.rig.triangles.empty();
  if (bare && !request.reload && viewer.options.frames == 0) showTab(viewer, SideTab::bind);
  forgetRagdoll(viewer);
  startStress(viewer, !request.reload);
  if (first && !viewer.options.pose.empty()) holdSavedPose(viewer);
  viewer.statistics = {};
  viewer.ui.notes = {};
  viewer.ui.timeline = {};
  viewer.clock = {static_cast<double>(viewer.settings.time), viewer.settings.time};
  viewer.stale = true;
}

void announce(Viewer& viewer, const ImportRequest& request) {
  const Model& model = viewer.bench.model;
  const std::size_t warnings = model.warnings.size();
  if (!request.motion.empty())
    toast(viewer, fmt::format("motion of {} is on {}", title(request), model.name));
  if (warnings > 0)
    toast(viewer, fmt::format("{}: {} warning{}, see the report", title(request), warnings,
                              warnings == 1 ? "" : "s"));
  if (!request.model.starts_with("demo:")) addRecent(viewer.memory.recent, request.model);
}

// The current model stays. Without one the built-in character fills the window.
void fail(Viewer& viewer, ImportFailure failure) {
  const ImportRequest request = *viewer.importing;
  viewer.importing.reset();
  viewer.failure = std::move(failure);
  viewer.failed = request;
  if (viewer.options.frames > 0) return; // runViewer() throws it
  fmt::print(stderr, "sinew: {}\n", viewer.failure->message);
  if (!hasModel(viewer) && !request.fallback)
    openModel(viewer, {.model = kFirstModel, .motion = {}, .fallback = true});
}

void finishImport(Viewer& viewer, Imported&& imported) {
  const ImportRequest request = *viewer.importing;
  if (request.motionIfBare && isMotionFor(viewer.bench.model, imported.bench.model)) {
    openMotion(viewer, request.model);
    return;
  }
  try {
    adopt(viewer, std::move(imported), request);
    announce(viewer, request);
    viewer.importing.reset();
  } catch (const Error& error) {
    fail(viewer, {error.what(), error.code()});
  }
}

} // namespace

void exchangeBench(Viewer& viewer, Workbench fresh) {
  Settings settings = viewer.settings;
  settings.weightsOf.clear();
  std::swap(viewer.bench, fresh);
  try {
    uploadModel(viewer.graphics->picture, viewer.bench, settings);
  } catch (const Error&) {
    std::swap(viewer.bench, fresh);
    if (hasModel(viewer)) uploadModel(viewer.graphics->picture, viewer.bench, settings);
    viewer.applied.weightsOf.clear();
    throw;
  }
  viewer.applied = settings;
}

bool hasModel(const Viewer& viewer) {
  return !viewer.bench.bound.empty();
}

void toast(Viewer& viewer, std::string text) {
  viewer.ui.toasts.push_back({std::move(text), glfwGetTime() + 6.0});
  if (viewer.ui.toasts.size() > 4) viewer.ui.toasts.pop_front();
}

void openModel(Viewer& viewer, ImportRequest request) {
  Settings settings = viewer.settings;
  if (request.reload || hasModel(viewer)) {
    settings.clip.clear();
    settings.time = settings.rangeStart = settings.rangeEnd = 0.0f;
    settings.weightsOf.clear();
  }
  if (!request.fallback) {
    viewer.failure.reset();
  }
  request.method = settings.method;
  request.parameters = settings.parameters;
  request.influences = settings.influences;
  request.difference = settings.difference;
  viewer.importing = request;
  viewer.importer->start(
      title(request), loadForViewer(request.model, request.motion,
                                    {request.zones, request.weights, request.movement}, settings));
}

void cancelImport(Viewer& viewer) {
  viewer.importer->cancel();
  if (viewer.importing)
    toast(viewer, fmt::format("reading {} was cancelled", title(*viewer.importing)));
  viewer.importing.reset();
}

void dismiss(Viewer& viewer) {
  if (takeBackEdit(viewer)) return;
  if (viewer.failure)
    viewer.failure.reset();
  else if (viewer.importing)
    cancelImport(viewer);
  else if (binding(viewer))
    cancelBinding(viewer);
  else
    selectJoint(viewer, std::nullopt);
}

void reloadModel(Viewer& viewer) {
  if (!viewer.failure && !hasModel(viewer)) return;
  ImportRequest request = viewer.failure ? viewer.failed : viewer.loaded;
  if (!viewer.failure) request.reload = true;
  openModel(viewer, request);
}

void openFile(Viewer& viewer, const std::string& file) {
  if (fs::path(file).extension() == ".tgf") return openSkeleton(viewer, file);
  if (openEdits(viewer, file)) return;
  leaveWork(viewer, fmt::format("Open {}", fs::path(file).filename().string()), [file](Viewer& v) {
    openModel(v, {.model = file, .motion = {}, .reload = false, .motionIfBare = true});
  });
}

void openMotion(Viewer& viewer, const std::string& file) {
  if (viewer.edit.history.now().model)
    return toast(viewer, "what was bound here is not in a file yet: save it (Ctrl+E), open that, "
                         "then put the motion on it");
  if (viewer.edit.history.now().weights != PaintedRig{})
    return toast(viewer, "what was painted here is not in a file yet: save the weights "
                         "(Ctrl+Shift+W), open the model again, then put the motion on it");
  openModel(viewer, {.model = viewer.loaded.model,
                     .motion = file,
                     .zones = viewer.loaded.zones,
                     .weights = viewer.loaded.weights});
}

bool pollImport(Viewer& viewer, double now) {
  FileWatch& watch = viewer.watch;
  if (auto result = viewer.importer->take()) {
    if (auto* imported = std::get_if<Imported>(&*result))
      finishImport(viewer, std::move(*imported));
    else
      fail(viewer, std::get<ImportFailure>(*result));
    return true;
  }
  if (pollRagdollFile(viewer, now)) return true;
  if (watch.path.empty() || viewer.importing) return false;
  if (!settledChange(watch, stampOf(watch.path), now)) return false;
  toast(viewer, fmt::format("{} has changed: read again", title(viewer.loaded)));
  ImportRequest request = viewer.loaded;
  request.reload = true;
  openModel(viewer, request);
  return true;
}

void selectJoint(Viewer& viewer, std::optional<std::uint32_t> node) {
  viewer.selected = node;
  viewer.ui.scrollToJoint = node.has_value();
}

} // namespace sinew
