// Files of the ragdoll in the window: its set-up, read, watched and saved; its recordings.

#include "animation/clip_of_poses.h"
#include "app/ragdoll_run.h"
#include "core/error.h"
#include "core/file.h"
#include "export/glb.h"
#include "viewer/ragdoll_play.h"
#include "viewer/session.h"
#include "viewer/viewport.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sinew {

namespace fs = std::filesystem;

const RagdollConfig* ragdollConfig(Viewer& viewer) {
  RagdollPlay& play = viewer.ragdoll;
  if (play.file) return &play.file->config;
  if (!hasModel(viewer) || viewer.crowd) return nullptr;
  try {
    play.file = openRagdoll(viewer.bench.model, viewer.bench.rig, viewer.loaded.model, "", "");
  } catch (const Error& error) {
    toast(viewer, error.what());
    return nullptr;
  }
  if (!play.file->path.empty()) {
    play.watch = watchFile(play.file->path);
    toast(viewer, fmt::format("ragdoll {} {}", play.file->fitted ? "written to" : "from",
                              fs::path(play.file->path).filename().string()));
  }
  if (!play.file->warning.empty()) toast(viewer, play.file->warning);
  return &play.file->config;
}

void saveRagdoll(Viewer& viewer) {
  RagdollPlay& play = viewer.ragdoll;
  if (ragdollConfig(viewer) == nullptr) return;
  const std::string path =
      play.file->path.empty() ? ragdollPath(viewer.loaded.model).string() : play.file->path;
  try {
    writeFile(path, ragdollToJson(play.file->config));
    play.file->path = path;
    play.watch = watchFile(path);
    play.changed = false;
    toast(viewer, fmt::format("saved {}", path));
  } catch (const Error& error) {
    toast(viewer, error.what());
  }
}

bool pollRagdollFile(Viewer& viewer, double now) {
  RagdollPlay& play = viewer.ragdoll;
  if (!play.file || play.watch.path.empty()) return false;
  if (!settledChange(play.watch, stampOf(play.watch.path), now)) return false;
  const std::string& path = play.file->path;
  try {
    RagdollConfig read = ragdollFromJson(viewer.bench.model, readFile(path), path);
    changeRagdoll(viewer, std::move(read));
    play.changed = false;
    toast(viewer, fmt::format("{} has changed: read again", fs::path(path).filename().string()));
  } catch (const Error& error) {
    toast(viewer, error.what()); // the one before stays
  }
  return true;
}

void recordRagdoll(Viewer& viewer, bool on) {
  RagdollPlay& play = viewer.ragdoll;
  if (on == play.recording) return;
  play.recording = on;
  if (on) {
    play.recorded.clear();
    play.recordedUntil = play.fall ? play.fall->seconds : 0.0;
    return;
  }
  if (play.recorded.empty()) return;
  std::vector<Clip>& clips = viewer.bench.model.clips;
  std::string name = "ragdoll";
  for (int i = 2;
       std::any_of(clips.begin(), clips.end(), [&](const Clip& clip) { return clip.name == name; });
       ++i)
    name = fmt::format("ragdoll {}", i);
  clips.push_back(
      clipOfPoses(viewer.bench.model.hierarchy, name, play.recorded, kRecordedPerSecond));
  toast(viewer, fmt::format("recorded {:.2f} s as clip '{}'", clips.back().seconds, name));
}

void exportRagdoll(Viewer& viewer) {
  RagdollPlay& play = viewer.ragdoll;
  recordRagdoll(viewer, false);
  if (play.recorded.empty()) return toast(viewer, "nothing has been recorded");
  try {
    Model model = viewer.bench.model;
    model.clips = {clipOfPoses(model.hierarchy, "ragdoll", play.recorded, kRecordedPerSecond)};
    std::error_code error;
    const fs::path path =
        freeName(fs::current_path(error), stemOf(viewer.bench.model) + "-ragdoll", ".glb");
    writeFile(path, glbOf(model));
    toast(viewer, fmt::format("saved {}", path.string()));
  } catch (const Error& error) {
    toast(viewer, error.what());
  }
}

} // namespace sinew
