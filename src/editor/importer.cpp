#include "editor/importer.h"

#include "app/clip_bounds.h"
#include "app/open_sources.h"

#include <limits>

namespace sinew {

Importer::Load loadForSession(ModelSources sources, Settings settings) {
  swingBySprings(sources);
  return [sources = std::move(sources),
          settings = std::move(settings)](const ImportProgress& progress) {
    Imported imported;
    imported.workbench =
        openSources(sources, settings,
                    {.seconds = std::numeric_limits<double>::infinity(), // is cancelled
                     .skipBadSidecars = true,
                     .progress = progress});
    if (!settings.weightsJoint.empty()) findJoint(imported.workbench.model, settings.weightsJoint);
    imported.bounds = outlineOverClip(imported.workbench, getWrap(settings));
    return imported;
  };
}

MessageParts splitMessage(const std::string& message) {
  MessageParts parts;
  std::size_t start = 0;
  // A path may hold a colon; the separator has a blank after it.
  if (const std::size_t colon = message.find(": "); colon != std::string::npos) {
    parts.file = message.substr(0, colon);
    start = colon + 2;
  }
  const std::size_t semicolon = message.find("; ", start);
  parts.what =
      message.substr(start, semicolon == std::string::npos ? semicolon : semicolon - start);
  if (semicolon != std::string::npos) parts.remedy = message.substr(semicolon + 2);
  return parts;
}

} // namespace sinew
