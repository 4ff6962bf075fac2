#include "editor/lighting.h"

#include "core/file.h"
#include "editor/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace sinew {

bool isLightPicture(const std::string& file) {
  const std::vector<std::string> known = lightPictureExtensions();
  return std::ranges::find(known, getExtension(file)) != known.end();
}

void openLight(Session& session, const std::string& file) {
  session.light->start(file, [file](const Progress&) { return readLightPicture(file); });
}

bool pollLight(Session& session) {
  auto result = session.light->take();
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
