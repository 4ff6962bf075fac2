// What the background thread does to make a model ready for a session.
#pragma once

#include "app/model_sources.h"
#include "app/settings.h"
#include "editor/importer.h"

#include <string>

namespace sinew {

// A file beside the model that is not usable becomes a warning of the model.
Importer::Load loadForSession(ModelSources sources, Settings settings);

// A message "path: what; remedy" in its parts; those it does not have are empty.
struct MessageParts {
  std::string file, what, remedy;
};
MessageParts splitMessage(const std::string& message);

} // namespace sinew
