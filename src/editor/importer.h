// Reads models on a background thread.
#pragma once

#include "app/workbench.h"
#include "editor/tasks/task.h"
#include "import/import_model.h"

namespace sinew {

// A model made ready on the thread, so that handing it over costs the window nothing.
struct Imported {
  Workbench workbench;
  Outline bounds; // outlineOverClip()
};

using ImportFailure = TaskFailure;
using Importer = Task<Imported>;

} // namespace sinew
