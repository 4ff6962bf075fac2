#include "editor/save_as.h"

#include "animation/layers/layer_stack.h"
#include "app/sidecar.h"
#include "core/error.h"
#include "core/file.h"
#include "editor/document/views.h"
#include "editor/edit_files.h"
#include "editor/session.h"
#include "editor/tasks/run_program.h"
#include "export/glb.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace sinew {
namespace {

namespace fs = std::filesystem;

// Edits of the session as files in a folder, and the options that read them.
void addEdits(const Session& session, const fs::path& folder, std::vector<std::string>& words) {
  const Document& document = session.document;
  const Edit& now = document.history.now();
  const auto add = [&](const char* option, const char* name, const std::string& text) {
    const fs::path file = folder / name;
    writeFile(file, text);
    words.insert(words.end(), {option, file.string()});
  };
  // One of them beside the model would be read in the place of one that was removed here.
  add("--zones", "zones.json", zonesToJson(now.zones));
  if (!document.workbench.moving.map.empty())
    add("--velocity", "velocity.json",
        velocityMapToJson(document.workbench.model, document.workbench.moving.map));
  if (now.drivers) add("--drivers", "drivers.json", driverSetToJson(*now.drivers));
  if (!now.layerStack.layers.empty() && !now.pose)
    add("--layers", "layers.json", layerStackToJson(now.layerStack));
  if (now.pose) add("--pose", "pose.json", poseToJson(document.workbench.model, *now.pose));
}

// The model as it is now: its file where nothing of it has changed.
void addModel(const Session& session, const fs::path& folder, std::vector<std::string>& words) {
  const Document& document = session.document;
  const Edit& now = document.history.now();
  const ModelRequest& loaded = document.loaded;
  const bool edited = now.model || now.splines || now.clips || now.weights != PaintedRig{} ||
                      loaded.subdivide != SubdivideOptions{} || document.workbench.splines.set;
  if (edited) {
    const std::string name = loaded.model.starts_with("demo:")
                                 ? loaded.model.substr(5)
                                 : fs::path(loaded.model).stem().string();
    const fs::path file = folder / (name + ".glb");
    writeFile(file, toGlb(paintedModel(document)));
    words.push_back(file.string());
    return;
  }
  words.push_back(loaded.model);
  if (!loaded.motion.empty()) words.insert(words.end(), {"--motion", loaded.motion});
  if (loaded.motionMap != MotionMap{}) {
    const fs::path map = folder / "motion-map.json";
    writeFile(map, motionMapText(loaded.motionMap));
    words.insert(words.end(), {"--motion-map", map.string()});
  }
  if (!loaded.weights.empty()) words.insert(words.end(), {"--weights", loaded.weights});
  if (loaded.up != UpAxis::automatic)
    words.insert(words.end(), {"--up", loaded.up == UpAxis::y ? "y" : "z"});
}

std::string chooseClipWord(const Document& document) {
  const Settings& settings = document.settings;
  return settings.clip.empty() && document.workbench.clip
             ? clipWord(document.workbench.model, *document.workbench.clip)
             : settings.clip;
}

void startProgram(Session& session, SaveKind kind, const fs::path& path) {
  // The files of edits live as long as the work.
  const auto scratch = std::make_shared<ScratchFolder>();
  const fs::path done = scratch->path() / ("done" + path.extension().string());
  std::vector<std::string> words = programWords(session, kind, scratch->path(), done);
  session.tasks.report->start(
      path.string(), [words = std::move(words), scratch, done, path](const Progress& progress) {
        runProgram(words, progress);
        writeFile(path, readFile(done));
        return path.string();
      });
  notify(session.document, fmt::format("writing {}", path.string()));
}

fs::path folderToShow(const Document& document) {
  const fs::path& saved = document.notices.savedFile;
  if (!saved.empty()) return fs::absolute(saved).parent_path();
  const std::string& model = document.loaded.model;
  if (model.empty() || model.starts_with("demo:")) return fs::current_path();
  return fs::absolute(model).parent_path();
}

} // namespace

void startReport(Session& session, const fs::path& path) {
  startProgram(session, SaveKind::report, path);
}

void startPage(Session& session, const fs::path& path) {
  startProgram(session, SaveKind::page, path);
}

std::string saveProblem(const Session& session, SaveKind which) {
  const WorkKind& kind = workKind(which);
  if (!hasModel(session.document) || session.document.crowd) return "there is no single model";
  if (drafting(session.document)) return "bind the mesh first, or leave the skeleton";
  const char* problem = kind.missing == nullptr ? nullptr : kind.missing(session);
  if (problem == nullptr) problem = unwritable(session, kind);
  return problem == nullptr ? "" : problem;
}

void saveAs(Session& session, SaveKind kind, fs::path path) {
  if (const std::string problem = saveProblem(session, kind); !problem.empty())
    return notify(session.document, problem);
  const char* extension = workKind(kind).extension;
  if (getExtension(path) != extension) path += extension;
  saveEdits(session, kind, path);
}

std::vector<std::string> programWords(const Session& session, SaveKind kind, const fs::path& folder,
                                      const fs::path& output) {
  const Document& document = session.document;
  const Settings& settings = document.settings;
  std::vector<std::string> words{session.options.program,
                                 kind == SaveKind::page ? "page" : "compare"};
  addModel(session, folder, words);
  addEdits(session, folder, words);
  if (kind == SaveKind::page)
    words.insert(words.end(), {"--method", settingText(withoutBaked(settings.methods))});
  const std::string clip = chooseClipWord(document);
  if (!clip.empty() && !document.history.now().pose) words.insert(words.end(), {"--clip", clip});
  words.insert(words.end(), {"--influences", std::to_string(document.settings.influences), "-o",
                             output.string()});
  return words;
}

bool reporting(const Session& session) {
  return session.tasks.report->running();
}

bool pollReport(Session& session) {
  const auto result = session.tasks.report->take();
  if (!result) return false;
  if (const auto* path = std::get_if<std::string>(&*result))
    notifySaved(session.document, *path);
  else
    notify(session.document, std::get<TaskFailure>(*result).message);
  return true;
}

void openOutside(Session& session, const fs::path& file) {
  if (session.tasks.opener->running()) return;
  std::string name = file.string();
  session.tasks.opener->start(name, [name](const Progress& progress) {
    try {
      runProgram({"xdg-open", name}, progress);
    } catch (const Error&) {
      throw inputError(name, "xdg-open did not open it");
    }
    return std::string(name);
  });
}

void showFolder(Session& session) {
  openOutside(session, folderToShow(session.document));
}

bool pollShowFolder(Session& session) {
  const auto result = session.tasks.opener->take();
  if (!result) return false;
  if (const auto* failure = std::get_if<TaskFailure>(&*result))
    notify(session.document, failure->message);
  return true;
}

} // namespace sinew
