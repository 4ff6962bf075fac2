#include "viewer/session.h"

#include "core/error.h"
#include "viewer/load.h"
#include "viewer/playback.h"
#include "viewer/recent_files.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <glm/common.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>

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
  std::size_t moved = 0;
  std::size_t known = 0;
  for (const Clip& clip : loaded.clips)
    for (const Channel& channel : clip.channels) {
      ++moved;
      if (findNode(current.hierarchy, loaded.hierarchy.nodes[channel.node].name)) ++known;
    }
  return known > 0 && 4 * known >= moved;
}

// Keeps what still makes sense of the old model after a reload.
void keepPlace(Viewer& viewer, const Workbench& fresh) {
  Settings& settings = viewer.settings;
  const bool held = settings.clip.empty() || settings.clip == "none" || settings.clip == "bind";
  try {
    if (!held) findClip(fresh.model, settings.clip);
  } catch (const Error&) {
    toast(viewer, fmt::format("the clip '{}' is gone from the file", settings.clip));
    settings.clip.clear();
  }
  if (!viewer.selected) return;
  const std::string& name = viewer.bench.model.hierarchy.nodes[*viewer.selected].name;
  viewer.selected = findNode(fresh.model.hierarchy, name);
}

// Another model has other clips and joints. Those of the command line are for the first one.
void forgetModel(Viewer& viewer) {
  viewer.settings.clip.clear();
  viewer.settings.time = 0.0f;
  viewer.settings.weightsOf.clear();
  viewer.heatMap = false;
}

void selectByWeights(Viewer& viewer) {
  viewer.selected.reset();
  if (viewer.settings.weightsOf.empty()) return;
  viewer.selected = findNode(viewer.bench.model.hierarchy, viewer.settings.weightsOf);
  viewer.heatMap = viewer.selected.has_value();
  if (!viewer.selected)
    toast(viewer, fmt::format("this model has no joint '{}'", viewer.settings.weightsOf));
}

void startStress(Viewer& viewer) {
  viewer.crowd.reset();
  if (viewer.options.stressVertices == 0 || viewer.bench.rig.triangles.empty()) return;
  viewer.crowd = makeCrowd(viewer.bench, viewer.options.stressVertices);
  // The only storage that draws a crowd in one call; not the user's choice, so not remembered.
  viewer.settings.palette = viewer.options.settings.palette = "texture";
  frame(viewer.settings, viewer.orbit, viewer.crowd->bounds);
}

// The one step in which a new model takes the place of the old one.
void adopt(Viewer& viewer, Imported&& imported, const ImportRequest& request) {
  if (request.reload)
    keepPlace(viewer, imported.bench);
  else if (viewer.bench.method != nullptr)
    forgetModel(viewer);
  viewer.bench = std::move(imported.bench);
  viewer.loaded = request;
  viewer.watch = request.model.starts_with("demo:") ? FileWatch{} : watchFile(request.model);
  if (!request.fallback) viewer.failure.reset();
  if (!request.reload) {
    frame(viewer.settings, viewer.orbit, imported.bounds);
    viewer.framedAt = jointCenter(viewer.bench);
    selectByWeights(viewer);
  }
  startStress(viewer);
  uploadModel(viewer.graphics->picture, viewer.bench, viewer.settings);
  viewer.applied = viewer.settings;
  if (request.reload) viewer.applied.clip = "\n"; // no clip's name: choose again
  viewer.statistics = {};
  viewer.stale = true;
  const auto& notes = viewer.bench.model;
  if (!notes.warnings.empty())
    toast(viewer, fmt::format("{}: {} warning{}, see the report", title(request),
                              notes.warnings.size(), notes.warnings.size() == 1 ? "" : "s"));
  if (!request.model.starts_with("demo:")) addRecent(viewer.memory.recent, request.model);
}

void finishImport(Viewer& viewer, Imported&& imported) {
  const ImportRequest request = *viewer.importing;
  viewer.importing.reset();
  if (request.motionIfBare && isMotionFor(viewer.bench.model, imported.bench.model)) {
    openMotion(viewer, request.model);
    return;
  }
  adopt(viewer, std::move(imported), request);
  if (!request.motion.empty()) toast(viewer, fmt::format("motion of {} is on {}", title(request), viewer.bench.model.name));
}

// The current model stays. Without one the built-in character fills the window.
void fail(Viewer& viewer, ImportFailure failure) {
  const ImportRequest request = *viewer.importing;
  viewer.importing.reset();
  viewer.failure = std::move(failure);
  viewer.failed = request;
  if (viewer.options.frames > 0) return; // runViewer() throws it
  fmt::print(stderr, "sinew: {}\n", viewer.failure->message);
  if (viewer.bench.method == nullptr && !request.fallback)
    openModel(viewer, {.model = kFirstModel, .motion = {}, .fallback = true});
}

} // namespace

void toast(Viewer& viewer, std::string text) {
  viewer.ui.toasts.push_back({std::move(text), glfwGetTime() + 6.0});
  if (viewer.ui.toasts.size() > 4) viewer.ui.toasts.pop_front();
}

void openModel(Viewer& viewer, ImportRequest request) {
  Settings settings = viewer.settings;
  if (request.reload || viewer.bench.method != nullptr) {
    settings.clip.clear();
    settings.time = 0.0f;
  }
  if (!request.fallback) {
    viewer.failure.reset();
  }
  viewer.importing = request;
  viewer.importer->start(title(request), loadForViewer(request.model, request.motion, settings));
}

void reloadModel(Viewer& viewer) {
  if (!viewer.failure && viewer.bench.method == nullptr) return;
  ImportRequest request = viewer.failure ? viewer.failed : viewer.loaded;
  if (!viewer.failure) request.reload = true;
  openModel(viewer, request);
}

void openFile(Viewer& viewer, const std::string& file) {
  openModel(viewer, {.model = file, .motion = {}, .reload = false, .motionIfBare = true});
}

void openMotion(Viewer& viewer, const std::string& file) {
  openModel(viewer, {.model = viewer.loaded.model, .motion = file});
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

vec3 jointCenter(const Workbench& bench) {
  Bounds joints;
  for (const std::uint32_t node : jointNodes(bench.model))
    joints.include(vec3(bench.modelFromNode[node][3]));
  return joints.empty() ? vec3(0.0f) : joints.center();
}

vec3 carriedAway(const Viewer& viewer) {
  if (viewer.crowd || viewer.bench.method == nullptr) return vec3(0.0f);
  const vec3 moved = jointCenter(viewer.bench) - viewer.framedAt;
  const vec3 slack(0.08f * viewer.orbit.framed.size());
  return moved - glm::clamp(moved, -slack, slack);
}

void frameModel(Viewer& viewer) {
  if (viewer.bench.method == nullptr) return;
  viewer.framedAt = jointCenter(viewer.bench);
  frame(viewer.settings, viewer.orbit,
        viewer.crowd ? viewer.crowd->bounds : posedBounds(viewer.bench));
}

std::string clipWord(const Model& model, std::uint32_t clip) {
  const std::string& name = model.clips[clip].name;
  if (name.empty() || name == "none" || name == "bind" || findClip(model, name) != clip)
    return std::to_string(clip);
  return name;
}

float clipSeconds(const Viewer& viewer) {
  return viewer.bench.clip ? viewer.bench.model.clips[*viewer.bench.clip].seconds : 0.0f;
}

bool moving(const Viewer& viewer) {
  if (viewer.settings.turntable) return true;
  return viewer.settings.playing && (viewer.crowd || clipSeconds(viewer) > 0.0f);
}

} // namespace sinew
