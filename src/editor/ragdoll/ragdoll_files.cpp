#include "editor/ragdoll/ragdoll_files.h"

#include "animation/clip_keys.h"
#include "app/sidecar.h"
#include "core/error.h"
#include "core/file.h"
#include "editor/document/document.h"
#include "editor/document/keying.h"
#include "export/glb.h"
#include "physics/ragdoll_config.h"
#include "ragdoll_run/ragdoll_run.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace sinew {

namespace fs = std::filesystem;

namespace {

// What is fitted here stays in memory until it is saved.
RagdollFile openOrFit(const Model& model, const Rig& rig, const std::string& name) {
  std::error_code ignored;
  const bool beside = fs::is_regular_file(ragdollPath(name), ignored);
  return openRagdoll(model, rig, name, "", beside ? "" : "none");
}

// What bodies are fitted to, besides the rig: no vertices and no images.
Model withoutSkin(const Model& model) {
  Model out;
  out.name = model.name;
  out.path = model.path;
  out.metersPerUnit = model.metersPerUnit;
  out.hierarchy = model.hierarchy;
  out.skins = model.skins;
  out.clips = model.clips;
  for (const Mesh& mesh : model.meshes) {
    out.meshes.emplace_back();
    out.meshes.back().node = mesh.node;
    out.meshes.back().skin = mesh.skin;
  }
  return out;
}

void takeFile(Document& document, RagdollPlay& play, RagdollFile file) {
  play.file = std::move(file);
  if (play.file->path.empty()) return;
  play.watch = watchFile(play.file->path);
  notify(document, fmt::format("ragdoll from {}", fs::path(play.file->path).filename().string()));
}

} // namespace

const RagdollConfig* ragdollConfig(Document& document, RagdollPlay& play) {
  if (play.file) return &play.file->config;
  if (!hasModel(document) || document.crowd || !play.problem.empty()) return nullptr;
  const std::string& name = document.loaded.model;
  if (play.fitting) {
    if (!play.fitting->running())
      play.fitting->start(name, [name, model = withoutSkin(document.workbench.model),
                                 rig = document.workbench.rig](const Progress&) {
        return openOrFit(model, rig, name);
      });
    return nullptr;
  }
  try {
    takeFile(document, play, openOrFit(document.workbench.model, document.workbench.rig, name));
    return &play.file->config;
  } catch (const Error& error) {
    play.problem = error.what();
    return nullptr;
  }
}

bool fittingRagdoll(const RagdollPlay& play) {
  return play.fitting && play.fitting->running();
}

void cancelFitting(Document& document, RagdollPlay& play) {
  play.fitting->cancel();
  play.fallsWhenFitted = false;
  notify(document, "fitting the ragdoll was cancelled");
}

bool pollFitting(Document& document, RagdollPlay& play) {
  if (!play.fitting) return false;
  auto result = play.fitting->take();
  if (!result) return false;
  const bool falls = std::exchange(play.fallsWhenFitted, false);
  if (auto* file = std::get_if<RagdollFile>(&*result)) {
    takeFile(document, play, std::move(*file));
    if (falls) startRagdoll(document, play);
  } else {
    play.problem = std::get<TaskFailure>(*result).message;
    notify(document, play.problem);
  }
  return true;
}

bool pollRagdollFile(Document& document, RagdollPlay& play, double now) {
  if (!play.file || play.watch.path.empty()) return false;
  if (!settledChange(play.watch, readStamp(play.watch.path), now)) return false;
  const std::string& path = play.file->path;
  try {
    RagdollConfig read =
        ragdollFromJson(document.workbench.model, readAbout(document.workbench.model, path), path);
    changeRagdoll(document, play, std::move(read));
    play.changed = false;
    notify(document, fmt::format("{} has changed: read again", fs::path(path).filename().string()));
  } catch (const Error& error) {
    notify(document, error.what()); // the one before stays
  }
  return true;
}

void recordRagdoll(Document& document, RagdollPlay& play, bool on) {
  if (on == play.recording) return;
  play.recording = on;
  if (on) {
    play.recorded.clear();
    play.recordedUntil = play.fall ? play.fall->seconds : 0.0;
    return;
  }
  if (play.recorded.empty()) return;
  Clip clip = recordClip(document.workbench.model, "ragdoll", play.recorded, kRecordedPerSecond);
  const float seconds = clip.seconds;
  const std::string name = keepRecordedClip(document, std::move(clip));
  notify(document, fmt::format("recorded {:.2f} s as clip '{}'", seconds, name));
}

void exportRagdoll(Document& document, RagdollPlay& play) {
  recordRagdoll(document, play, false);
  if (play.recorded.empty()) return notify(document, "nothing has been recorded");
  try {
    Model model = document.workbench.model;
    model.clips = {recordClip(model, "ragdoll", play.recorded, kRecordedPerSecond)};
    const fs::path path = freeName(outputFolder(document.loaded.model),
                                   makeStem(document.workbench.model) + "-ragdoll", ".glb");
    writeFile(path, toGlb(model));
    notifySaved(document, path);
  } catch (const Error& error) {
    notify(document, error.what());
  }
}

} // namespace sinew
