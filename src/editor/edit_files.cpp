#include "editor/edit_files.h"

#include "app/sidecar.h"
#include "core/error.h"
#include "core/file.h"
#include "editor/document/document.h"
#include "editor/pose/editing.h"
#include "editor/session.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <functional>

namespace sinew {
namespace {

namespace fs = std::filesystem;

// The kind that the file states; else a pose.
const WorkKind& findWorkKind(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_object() && json.contains("sinew"))
    for (const WorkKind& kind : workKinds())
      if (kind.read != nullptr && kind.kind != SaveKind::model && json["sinew"] == kind.name)
        return kind;
  return workKind(SaveKind::pose);
}

void openEditsUnchecked(Session& session, const std::string& file) {
  Document& document = session.document;
  const std::string name = fs::path(file).filename().string();
  const std::string text = readAbout(document.workbench.model, file);
  const WorkKind& kind = findWorkKind(text);
  const std::string step = fmt::format("{} of {}", kind.title, name);
  kind.read(session, {text, file, step});
  kind.markSaved(session, file);
  commitEdit(document, step);
  if (kind.topic) document.notices.topic = kind.topic;
  notify(document, fmt::format("{} is on {}", name, document.workbench.model.name));
}

// How a file that has been written is read: by itself where it is beside the model; built-in models
// have no such place.
std::string reading(const Document& document, const WorkKind& kind, const fs::path& path) {
  if (kind.sidecar == nullptr) return {};
  const std::string model = modelFile(document);
  const bool own =
      !model.empty() && !model.starts_with("demo:") && path == sidecarPath(model, *kind.sidecar);
  return own ? std::string(": read with the model from now on")
             : fmt::format(", for {}", kind.sidecar->option);
}

// Writes the files that a model which is saved here needs beside its .glb; names them for the
// message. One whose clips alone are changed has its own files, which are saved by themselves.
std::string saveBeside(Session& session, const fs::path& model) {
  std::string names;
  for (const WorkKind& kind : workKinds()) {
    if (kind.beside == nullptr || !kind.beside(session)) continue;
    const fs::path path = sidecarPath(model.string(), *kind.sidecar);
    Writing how;
    writeFile(path, kind.write(session, how));
    if (session.document.history.now().model) kind.markSaved(session, path.string());
    names += (names.empty() ? "; beside it: " : ", ") + path.filename().string();
  }
  return names;
}

} // namespace

bool openEdits(Session& session, const std::string& file) {
  Document& document = session.document;
  if (fs::path(file).extension() != ".json") return false;
  if (!hasModel(document) || document.crowd) {
    notify(document, fmt::format("{}: there is no model to put it on", file));
    return true;
  }
  if (drafting(document)) {
    notify(document, "the skeleton is being edited: bind it, or leave it, first");
    return true;
  }
  try {
    openEditsUnchecked(session, file);
  } catch (const Error& problem) {
    notify(document, problem.what());
  }
  return true;
}

namespace {

// What the command line asks of the first model; an error counts as a failed import.
void tryOptions(Session& session, const std::function<void(Document&)>& apply) {
  try {
    apply(session.document);
  } catch (const Error& error) {
    session.imports.failure = ImportFailure{error.what(), error.cause()};
    if (!session.options.unattended) fmt::print(stderr, "sinew: {}\n", error.what());
  }
}

} // namespace

void holdSavedPose(Session& session) {
  tryOptions(session, [&](Document& document) {
    const std::string& file = session.options.pose;
    editedPose(document) =
        poseFromJson(document.workbench.model, readAbout(document.workbench.model, file), file);
    document.saved.pose = document.history.now().pose;
    commitEdit(document, "Pose of the command line");
  });
}

void holdGivenMorphs(Session& session) {
  tryOptions(session, [&](Document& document) {
    holdMorphs(document.workbench, session.options.morphs);
    document.stale = true;
    if (!holdsPose(document)) return;
    for (const HeldMorph& held : document.workbench.heldMorphs)
      setMorphWeight(document, held.target, held.weight);
    commitEdit(document, "Morph weights of the command line");
  });
}

fs::path defaultSavePath(const Session& session, SaveKind which) {
  const Document& document = session.document;
  const WorkKind& kind = workKind(which);
  const std::string& model = document.loaded.model;
  const std::string file = modelFile(document);
  if (kind.sidecar != nullptr && !file.empty()) return sidecarPath(file, *kind.sidecar);
  if (kind.sidecar != nullptr)
    return freeName(outputFolder(model), makeStem(document.workbench.model), kind.sidecar->ending);
  return freeName(outputFolder(model), makeStem(document.workbench.model) + kind.suffix,
                  kind.extension);
}

void saveEdits(Session& session, SaveKind which, fs::path path) {
  Document& document = session.document;
  const WorkKind& kind = workKind(which);
  if (!hasModel(document)) return;
  if (const char* problem = unwritable(session, kind)) return notify(document, problem);
  if (path.empty() && kind.sidecar != nullptr && modelFile(document).empty())
    return notify(document, "no file has this model's joints yet: save the model first (Ctrl+E)");
  try {
    if (path.empty()) path = defaultSavePath(session, which);
    if (kind.save != nullptr) return kind.save(session, path);
    Writing how;
    writeFile(path, kind.write(session, how));
    kind.markSaved(session, path.string());
    if (which == SaveKind::model) how.note += saveBeside(session, path);
    notifySaved(document, path, how.note + reading(document, kind, path));
  } catch (const Error& problem) {
    notify(document, problem.what());
  }
}

} // namespace sinew
