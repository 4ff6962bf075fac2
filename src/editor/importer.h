// Reads models on a background thread, ready for a session.
#pragma once

#include "app/model_sources.h"
#include "app/settings.h"
#include "app/workbench.h"
#include "editor/tasks/task.h"
#include "import/import_model.h"

#include <string>

namespace sinew {

// A model made ready on the thread, so that handing it over costs the window nothing.
struct Imported {
  Workbench workbench;
  Outline bounds; // outlineOverClip()
};

using ImportFailure = TaskFailure;
using Importer = Task<Imported>;

// What the thread does. A file beside the model that is not usable becomes a warning of the model.
Importer::Load loadForSession(ModelSources sources, Settings settings);

// A message "path: what; remedy" in its parts; those it does not have are empty.
struct MessageParts {
  std::string file, what, remedy;
};
MessageParts splitMessage(const std::string& message);

} // namespace sinew
