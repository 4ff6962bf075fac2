#include "editor/model_files.h"

#include "core/file.h"
#include "editor/file_list.h"
#include "editor/session.h"
#include "import/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

namespace sinew {

namespace fs = std::filesystem;

namespace {

bool isFolder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool isModel(const std::string& path) {
  return path.starts_with("demo:") ||
         passes({.name = fs::path(path).filename().string()}, {.extensions = modelExtensions()});
}

// Whether two spellings of a path name the same file.
bool same(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return a == b || fs::equivalent(a, b, ignored);
}

} // namespace

std::vector<std::string> modelExtensions() {
  std::vector<std::string> all;
  for (const Format& format : formats())
    all.push_back('.' + std::string(format.extension));
  return all;
}

ModelFiles modelFiles(const std::vector<std::string>& paths) {
  ModelFiles all;
  for (const std::string& path : paths) {
    if (!isFolder(path)) {
      all.files.push_back(path);
      continue;
    }
    const FileList list = listFolder(path, {.extensions = modelExtensions()});
    const std::size_t before = all.files.size();
    for (const FileEntry& entry : list.entries)
      if (!entry.folder) all.files.push_back((fs::path(path) / entry.name).string());
    if (all.files.size() == before)
      all.problem = list.problem.empty() ? fmt::format("{}: no model file is in this folder", path)
                                         : list.problem;
  }
  return all;
}

void takeFiles(Session& session, const std::vector<std::string>& models) {
  session.files = models;
  if (models.size() > 1)
    notify(session.document,
           fmt::format("{} models: PageDown and PageUp step through them, Shift+PageDown shows "
                       "them side by side",
                       models.size()));
}

void openFiles(Session& session, const std::vector<std::string>& paths) {
  const ModelFiles found = modelFiles(paths);
  if (!found.problem.empty()) notify(session.document, found.problem);
  const auto light = std::ranges::find_if(found.files, isLightPicture);
  if (light != found.files.end()) openLight(session, *light);
  std::vector<std::string> models;
  std::ranges::copy_if(found.files, std::back_inserter(models), isModel);
  if (!models.empty()) takeFiles(session, models);
  if (!models.empty()) return openFile(session, models.front());
  for (const std::string& file : found.files)
    if (!isLightPicture(file)) openFile(session, file);
}

void stepFile(Session& session, int step) {
  const ImportState& imports = session.imports;
  const std::string now = imports.importing ? imports.importing->model
                          : imports.failure ? imports.failed.model
                                            : session.document.loaded.model;
  const auto isNow = [&](const std::string& file) { return same(file, now); };
  std::vector<std::string> files = session.files;
  if (files.size() < 2 || std::ranges::none_of(files, isNow)) {
    if (now.starts_with("demo:"))
      return notify(session.document, "a built-in model is in no folder");
    files = modelFiles({fs::absolute(now).parent_path().string()}).files;
  }
  const auto at = std::ranges::find_if(files, isNow);
  if (files.size() < 2 || at == files.end())
    return notify(session.document, "no other model file is in this folder");
  const auto count = static_cast<std::ptrdiff_t>(files.size());
  const std::ptrdiff_t next = (at - files.begin() + step + count) % count;
  openFile(session, files[static_cast<std::size_t>(next)]);
}

std::string placeAmongFiles(const Session& session) {
  const std::vector<std::string>& files = session.files;
  const auto at = std::ranges::find(files, session.document.loaded.model);
  if (files.size() < 2 || at == files.end()) return {};
  return fmt::format("{} of {}", at - files.begin() + 1, files.size());
}

bool isLightPicture(const std::string& file) {
  const std::vector<std::string> known = lightPictureExtensions();
  return std::ranges::find(known, getExtension(file)) != known.end();
}

void openLight(Session& session, const std::string& file) {
  session.tasks.light->start(file, [file](const Progress&) { return readLightPicture(file); });
}

bool pollLight(Session& session) {
  auto result = session.tasks.light->take();
  if (!result) return false;
  Document& document = session.document;
  if (const auto* failure = std::get_if<TaskFailure>(&*result)) {
    notify(document, failure->message);
    return true;
  }
  document.settings.lightFrom = std::move(std::get<LightPicture>(*result));
  notify(document,
         fmt::format("lit by {}",
                     std::filesystem::path(document.settings.lightFrom.file).filename().string()));
  return true;
}

} // namespace sinew
