#include "editor/show_folder.h"

#include "editor/session.h"
#include "editor/tasks/run_program.h"

#include <fmt/format.h>

#include <filesystem>

namespace sinew {
namespace {

namespace fs = std::filesystem;

fs::path folderToShow(const Document& document) {
  const fs::path& saved = document.savedFile;
  if (!saved.empty()) return fs::absolute(saved).parent_path();
  const std::string& model = document.loaded.model;
  if (model.empty() || model.starts_with("demo:")) return fs::current_path();
  return fs::absolute(model).parent_path();
}

} // namespace

void showFolder(Session& session) {
  if (session.opener->running()) return;
  std::string folder = folderToShow(session.document).string();
  session.opener->start(folder, [folder](const Progress& progress) {
    runProgram({"xdg-open", folder}, progress);
    return folder;
  });
}

bool pollShowFolder(Session& session) {
  std::string folder = folderToShow(session.document).string();
  const auto result = session.opener->take();
  if (!result) return false;
  if (std::holds_alternative<BackgroundFailure>(*result))
    notify(session.document, fmt::format("the folder is {}; xdg-open did not open it", folder));
  return true;
}

} // namespace sinew
