#include "editor/show_folder.h"

#include "core/error.h"
#include "editor/session.h"
#include "editor/tasks/run_program.h"

#include <filesystem>
#include <string>
#include <variant>

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

void openOutside(Session& session, const fs::path& file) {
  if (session.opener->running()) return;
  std::string name = file.string();
  session.opener->start(name, [name](const Progress& progress) {
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
  const auto result = session.opener->take();
  if (!result) return false;
  if (const auto* failure = std::get_if<TaskFailure>(&*result))
    notify(session.document, failure->message);
  return true;
}

} // namespace sinew
