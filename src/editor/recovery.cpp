#include "editor/recovery.h"

#include "app/open_sources.h"
#include "app/sidecar.h"
#include "core/error.h"
#include "core/file.h"
#include "core/json_reader.h"
#include "editor/apply.h"
#include "editor/document/document.h"
#include "editor/session.h"
#include "editor/tasks/run_program.h"
#include "editor/work_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKind = "recovery";
constexpr std::uint64_t kMaxRecoveryBytes = std::uint64_t{1} << 30; // fits the largest models
constexpr const char* kStep = "Restore unsaved work";

// The next start may be in another folder.
std::string absolute(const std::string& path) {
  if (path.empty() || path == "none" || path == kOwnLayers || path.starts_with("demo:"))
    return path;
  std::error_code error;
  const fs::path full = fs::absolute(path, error);
  return error ? path : full.string();
}

constexpr std::array<std::string_view, 3> kUpWords{"auto", "y", "z"}; // in the order of UpAxis

// Calls visit(name, field) for each file of a request: what the file is, and its path or word.
template <class Request, class Visitor>
void visitPaths(Request& request, const Visitor& visit) {
  visit("model", request.model);
  visit("motion", request.motion);
  visit("pose", request.pose);
  visit("layers", request.layers);
  for (const Sidecar* kind : sidecars())
    visit(kind->option + 2, request.*kind->file); // without the two dashes
}

Json requestToJson(const ModelRequest& request) {
  Json json = Json::object();
  visitPaths(request, [&](const char* name, const std::string& path) {
    if (!path.empty()) json[name] = absolute(path);
  });
  json["zone"] = request.zone;
  json["morphs"] = request.morphs;
  json["subdivide"] = request.subdivide.joints;
  json["subdivide-bent"] = request.subdivide.bent;
  json["up"] = kUpWords[static_cast<std::size_t>(request.up)];
  Json folders = Json::array();
  for (const std::string& folder : request.textureFolders)
    folders.push_back(absolute(folder));
  json["texture-path"] = folders;
  json["motion-map"] = motionMapText(request.motionMap);
  json["motion-map-saved"] = request.motionMap == request.motionMapSaved;
  return json;
}

// Readers of motion maps take files.
MotionMap motionMapFrom(const std::string& text) {
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "motion-map.json";
  writeFile(file, text);
  return readMotionMap(file);
}

ModelRequest readRequest(JsonObject json) {
  ModelRequest request;
  visitPaths(request, [&](const char* name, std::string& path) { json.readIfThere(name, path); });
  request.zone = json.at("zone").texts();
  request.morphs = json.at("morphs").texts();
  request.subdivide = {json.at("subdivide").texts(), json.at("subdivide-bent").number()};
  request.up = static_cast<UpAxis>(json.at("up").word(kUpWords));
  request.textureFolders = json.at("texture-path").texts();
  request.motionMap = motionMapFrom(json.at("motion-map").text());
  if (json.at("motion-map-saved").boolean()) request.motionMapSaved = request.motionMap;
  return request;
}

// The documents that saving what is unsaved would write.
Json editsToJson(const Session& session) {
  const WorkKind& model = workKind(SaveKind::model);
  std::vector<const WorkKind*> kinds;
  bool whole = false; // what no other file can have is in the whole model
  for (const UnsavedWork& work : unsavedWork(session)) {
    if (work.kind == nullptr || work.kind->read == nullptr) continue;
    const bool writable = unwritable(session, *work.kind) == nullptr;
    whole |= work.kind == &model || (work.kind->inModel && !writable);
    if (writable && work.kind != &model) kinds.push_back(work.kind);
  }
  if (whole) std::erase_if(kinds, [](const WorkKind* kind) { return kind->inModel; });
  if (whole) kinds.push_back(&model);
  Json edits = Json::object();
  Writing how{.recovery = true};
  for (const WorkKind* kind : kinds)
    edits[kind->name] = kind->write(session, how);
  return edits;
}

// A file of unsaved work, open.
class RecoveryFile {
 public:
  explicit RecoveryFile(const fs::path& file)
      : path_(file.string()), json_(parseJson(readFile(file, kMaxRecoveryBytes), path_)),
        whole_(readDocument(json_, path_, kKind, "is no file of unsaved work")) {
    edits(); // throws where it has none
  }

  JsonObject request() { return JsonObject(whole_.at("request")); }
  JsonObject edits() { return JsonObject(whole_.at("edits")); }

 private:
  std::string path_;
  Json json_;
  JsonObject whole_;
};

// Applies the restored edits to the workbench. What the model cannot have has been reverted.
void applyRestored(Session& session) {
  const Edit wanted = session.document.history.now();
  applySettings(session);
  if (session.document.history.now() != wanted)
    throw usageError("the model cannot be shown with it");
}

} // namespace

fs::path stateFolder() {
  return userFolder("XDG_STATE_HOME", ".local/state");
}

fs::path writeRecovery(const Session& session, const fs::path& folder) {
  const Json edits = editsToJson(session);
  const ModelRequest& loaded = session.document.loaded;
  if (edits.empty() && loaded.motionMap == loaded.motionMapSaved) return {};
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw usageError(fmt::format("{}: cannot be created ({})", folder.string(), error.message()));
  // Windows that end together write at the same time.
  fs::path file = freeName(folder, fmt::format("unsaved-{}", ::getpid()), ".json");
  const Json json = {{"sinew", kKind}, {"request", requestToJson(loaded)}, {"edits", edits}};
  writeFile(file, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n",
            FileAccess::owner);
  return file;
}

std::vector<Recovery> findRecoveries(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, Recovery>> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const fs::path file = it->path();
    if (!file.filename().string().starts_with("unsaved-") || getExtension(file) != ".json")
      continue;
    try {
      std::error_code ignored;
      found.push_back({fs::last_write_time(file, ignored),
                       {file, RecoveryFile(file).request().at("model").text()}});
    } catch (const std::exception&) { // another program's, or damaged: not offered
      continue;
    }
  }
  std::ranges::sort(found, {},
                    [](const auto& each) { return std::pair(each.first, each.second.file); });
  std::vector<Recovery> all;
  all.reserve(found.size());
  for (auto& [time, recovery] : found)
    all.push_back(std::move(recovery));
  return all;
}

void restoreRecovery(Session& session, const Recovery& recovery) {
  try {
    ModelRequest request = readRequest(RecoveryFile(recovery.file).request());
    request.recovery = recovery.file.string();
    openModel(session, std::move(request));
  } catch (const std::exception& problem) {
    notify(session.document,
           fmt::format("{}: cannot be restored ({})", recovery.file.string(), problem.what()));
  }
}

void discardRecovery(Session& session, const Recovery& recovery) {
  std::error_code error;
  if (!fs::remove(recovery.file, error) || error)
    notify(session.document, fmt::format("{}: cannot be removed", recovery.file.string()));
}

void restoreEdits(Session& session, const fs::path& file) {
  Document& document = session.document;
  std::size_t missing = 0;
  try {
    RecoveryFile recovery(file);
    JsonObject edits = recovery.edits();
    for (const WorkKind& kind : workKinds()) {
      const auto edit = edits.find(kind.name);
      if (kind.read == nullptr || !edit) continue;
      try {
        const std::string text = edit->text();
        if (kind.kind != SaveKind::model && text.size() > sidecarLimit(document.workbench.model))
          throw inputError(file.string(), "is too long for its model");
        kind.read(session, {text, file.string(), kStep});
        applyRestored(session);
      } catch (const std::exception& problem) {
        ++missing;
        notify(document, fmt::format("{}: {} is not restored", problem.what(), kind.name));
      }
    }
  } catch (const std::exception& problem) {
    return notify(document, problem.what());
  }
  commitEdit(document, kStep);
  if (missing > 0) return notify(document, fmt::format("the rest stays in {}", file.string()));
  std::error_code ignored;
  fs::remove(file, ignored);
  notify(document, "unsaved work is restored, and in no other file yet");
}

} // namespace sinew
